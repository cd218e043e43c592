#!/usr/bin/env bash
# Runs C++ tests under ThreadSanitizer: those of the folders named, or of all. Nothing is suppressed.
set -euo pipefail
cd "$(dirname "$0")/.."

folders=("$@")
[[ $# -gt 0 ]] || mapfile -t folders < <(find tests/cpp -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)

cmake --preset tsan >/dev/null
cmake --build --preset tsan --target "${folders[@]/#/test_}"
for folder in "${folders[@]}"; do
  # Tests fork while there are workers; the sanitizer cannot promise to see all of what a child does then.
  TSAN_OPTIONS=die_after_fork=0 "build/tsan/tests/cpp/test_$folder" --gtest_brief=1
done
