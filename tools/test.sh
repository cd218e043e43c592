#!/usr/bin/env bash
# Everything that `make test` runs after set-up. Runs every part, sums up, then fails if one failed.
set -uo pipefail
cd "$(dirname "$0")/.."
summary=()
status=0

part() {
  local name=$1 started=$SECONDS verdict=passed
  shift
  printf '\n== %s\n' "$name"
  "$@" || { verdict=FAILED && status=1; }
  summary+=("$(printf '%-6s  %5d s  %s' "$verdict" $((SECONDS - started)) "$name")")
}

# Shows what a command printed only where it failed.
quietly() {
  "$@" >build/last.log 2>&1 || { cat build/last.log && return 1; }
}

cpp_tests() {
  quietly ctest --test-dir build/venv --parallel "$(nproc)" --output-on-failure &&
    tail -n 3 build/last.log
}

python_tests() { .venv/bin/python -m pytest --quiet --durations=5 --numprocesses "$(nproc)"; }

# The folders that read memory and files by hand; the rest of the library stands on them. Longest first and in four
# parts each, so that no core waits long for the last one.
sanitized_tests() {
  local folder shard programs=() runs=()
  for folder in model grow geometry data infer linear split ensemble base; do
    programs+=("test_$folder")
    for shard in 0 1 2 3; do
      runs+=("GTEST_TOTAL_SHARDS=4 GTEST_SHARD_INDEX=$shard build/asan/tests/cpp/test_$folder --gtest_brief=1")
    done
  done
  quietly cmake --preset asan || return 1
  quietly cmake --build build/asan --target "${programs[@]}" || return 1
  printf '%s\n' "${runs[@]}" >build/asan/runs
  quietly xargs -P "$(nproc)" -L 1 -a build/asan/runs env || return 1
  awk '/PASSED/ { n += $4 } END { print n " tests passed" }' build/last.log
}

part "C++ tests" cpp_tests
part "Python tests" python_tests
part "C++ tests under ASan and UBSan" sanitized_tests
# Everything parallel goes through base; `make tsan` runs the rest.
part "C++ tests of base under TSan" quietly tools/tsan.sh base
part "lint" tools/lint.sh

printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
exit $status
