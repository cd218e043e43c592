#!/usr/bin/env bash
# All that is said about the code without running it. Runs every check, then fails if one failed.
set -uo pipefail
cd "$(dirname "$0")/.."
bin=.venv/bin
failed=()

check() {
  local name=$1
  shift
  "$@" || failed+=("$name")
}

check_cpp_format() {
  git ls-files '*.hpp' '*.cpp' | xargs $bin/clang-format --dry-run -Werror &&
    echo "clang-format: $(git ls-files '*.hpp' '*.cpp' | wc -l) files"
}

check "ruff format" $bin/ruff format --check --quiet .
check "ruff check" $bin/ruff check --quiet .
# The installed package, because the types of the compiled half are generated.
check "mypy" $bin/mypy --package bentwood
check "mypy tools" $bin/mypy tools
check "clang-format" check_cpp_format
check "layers" $bin/python tools/check_layers.py
check "clang-tidy" $bin/python tools/tidy.py build/venv

if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'lint: failed: %s\n' "$(IFS=,; echo "${failed[*]}")" >&2
  exit 1
fi
echo "lint: all clean"
