#!/usr/bin/env bash
# Makes a fresh Debian machine ready: system packages, .venv with the requirements, the package built and
# installed into it. Each step is skipped while what it depends on has not changed.
set -euo pipefail
cd "$(dirname "$0")/.."

# What `pip install .` needs; the README names the same.
build_packages=(
  g++ cmake ninja-build python3-dev python3-venv
  libfmt-dev libhwy-dev zlib1g-dev
  libfast-float-dev librandom123-dev libcli11-dev nlohmann-json3-dev libxxhash-dev
)
# What the tests and the linters need besides.
develop_packages=(ccache clang libclang-rt-14-dev libgtest-dev libgmock-dev pkg-config)

say() { printf 'setup: %s\n' "$*" >&2; }

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system; make sure that the equivalents of these are installed:" \
      "${build_packages[*]} ${develop_packages[*]}"
    return
  fi
  local missing=() package
  for package in "${build_packages[@]}" "${develop_packages[@]}"; do
    if [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
      missing+=("$package")
    fi
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  local as_root=()
  if [[ $(id -u) != 0 ]]; then
    if ! command -v sudo >/dev/null; then
      say "missing packages and neither root nor sudo; ask for: apt-get install ${missing[*]}"
      exit 1
    fi
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  "${apt[@]}" update
  "${apt[@]}" install --yes --no-install-recommends "${missing[@]}" >/dev/null
}

# run_if_changed NAME KEY COMMAND...: runs the command unless it has succeeded with this key before.
run_if_changed() {
  local stamp=.venv/stamps/$1 key=$2
  shift 2
  [[ -f $stamp && $(<"$stamp") == "$key" ]] && return
  rm -f "$stamp"
  "$@"
  mkdir -p .venv/stamps
  printf '%s' "$key" >"$stamp"
}

hash_of() { find "$@" -type f -not -name '*.pyc' -print0 | sort -z | xargs -0 sha256sum | sha256sum; }

install_requirements() {
  say "installing the Python requirements"
  rm -rf .venv
  python3 -m venv .venv
  .venv/bin/python -m pip install --quiet --requirement /dev/stdin <<<"$requirements"
}

# One build directory serves the package, the C++ tests and clang-tidy.
install_package() {
  say "building bentwood into .venv"
  .venv/bin/python -m pip install --quiet --no-build-isolation --no-deps --force-reinstall \
    --config-settings=build-dir=build/venv \
    --config-settings=cmake.define.BENTWOOD_BUILD_TESTS=ON \
    --config-settings=cmake.define.BENTWOOD_WARNINGS_AS_ERRORS=ON .
}

export PIP_DISABLE_PIP_VERSION_CHECK=1
sources=(CMakeLists.txt pyproject.toml README.md LICENSE cmake bentwood python tests/cpp tests/python/native examples
  bench/CMakeLists.txt bench/single_row.cpp)
[[ -d cli ]] && sources+=(cli)
install_packages
# Read after the packages are there: python3 is one of them.
requirements=$(python3 tools/requirements.py)
run_if_changed requirements "$(python3 --version) $requirements" install_requirements
run_if_changed package "$(hash_of "${sources[@]}")" install_package
