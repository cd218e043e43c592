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

python_tests() { .venv/bin/python -m pytest --quiet --durations=5; }

# The folders that read memory and files by hand; the rest of the library stands on them.
sanitized_tests() {
  local folder programs=()
  for folder in base geometry data model infer split grow linear; do
    [[ -d tests/cpp/$folder ]] && programs+=("test_$folder")
  done
  quietly cmake --preset asan || return 1
  quietly cmake --build build/asan --target "${programs[@]}" || return 1
  printf '%s\n' "${programs[@]}" | \
    xargs -P "$(nproc)" -I {} env build/asan/tests/cpp/{} --gtest_brief=1
}

part "C++ tests" cpp_tests
part "Python tests" python_tests
part "C++ tests under ASan and UBSan" sanitized_tests
part "lint" tools/lint.sh

printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
exit $status
