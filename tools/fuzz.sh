#!/usr/bin/env bash
# Runs every libFuzzer program of tests/fuzz in turn, and the fuzzer of the Python package: FUZZ_SECONDS each (60), or
# FUZZ_RUNS executions where that is set. What the programs learn stays in build/fuzz/corpus for the next time; the cases
# of the package begin at the seed FUZZ_FIRST (another one each time). Then works under limits of memory, LIMITED_RUNS
# times (200), and of processes, and loads FUZZ_FILES (10000) changed files of every kind of model whose checksums are
# right, in C++ and in Python.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=-max_total_time=${FUZZ_SECONDS:-60}
[[ -n ${FUZZ_RUNS:-} ]] && limit=-runs=$FUZZ_RUNS

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzzers
for program in build/fuzz/tests/fuzz/fuzz_*; do
  [[ -x $program && -f $program ]] || continue
  name=${program##*/fuzz_}
  learned=build/fuzz/corpus/$name
  mkdir -p "$learned"
  # The header of the smallest model alone has a thousand bytes.
  longest=512
  [[ $name == model ]] && longest=8192
  printf '\n== %s\n' "$name"
  "$program" "$limit" -max_len=$longest -timeout=5 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="build/fuzz/$name-" "$learned" "tests/fuzz/corpus/$name"
done

printf '\n== Python package\n'
calls=(--seconds "${FUZZ_SECONDS:-60}")
[[ -n ${FUZZ_RUNS:-} ]] && calls=(--calls "$FUZZ_RUNS")
.venv/bin/python tests/fuzz/api --first "${FUZZ_FIRST:-$(date +%s)000000}" "${calls[@]}"

printf '\n== limits of memory and of processes\n'
# OpenBLAS ends the process where it cannot make its threads.
OPENBLAS_NUM_THREADS=1 .venv/bin/python tests/limits/sweep.py "${LIMITED_RUNS:-200}"

files=${FUZZ_FILES:-10000}
printf '\n== changed model files in C++\n'
BENTWOOD_MUTATIONS=$files build/venv/tests/cpp/test_hostile --gtest_brief=1 --gtest_filter='*SealedMutation*'
printf '\n== changed model files in Python\n'
.venv/bin/python tests/python/model_fuzz.py "$files"
