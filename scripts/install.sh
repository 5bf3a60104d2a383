#!/bin/bash
# Installs the Debian 12 packages that are missing, by purpose: install.sh PURPOSE ...
# Asks dpkg first, so that it costs nothing where all is there.
set -euo pipefail

declare -A packages=(
  [build]="g++ cmake ninja-build ccache libeigen3-dev libtbb-dev libhdf5-dev libyaml-cpp-dev libcli11-dev
           nlohmann-json3-dev libfmt-dev libgtest-dev ca-certificates python3
           libqhull-dev libbullet-dev libtinyxml2-dev libsdformat-dev libassimp-dev liblodepng-dev libmeshoptimizer-dev libnlopt-cxx-dev libmuparser-dev libboost-dev"
  [test]="git pkg-config python3 python3-yaml python3-jsonschema python3-numpy python3-h5py clang-format libfclib-dev libmujoco-dev libsimbody-dev
         chromium slurm-wlm munge"
  [python]="pybind11-dev python3-dev python3-numpy python3-scipy python3-h5py python3-pytest python3-hypothesis mypy
           python3-ipython
           python3-setuptools python3-pip python3-wheel python3-venv
           python3-matplotlib jupyter-nbconvert python3-nbclient python3-nbformat python3-ipykernel
           python3-distributed"
  [lint]="clang-tidy"
  [sanitize]="clang libclang-rt-dev"
  [fuzz]="clang libclang-rt-dev"
  [bench]="libbenchmark-dev libsiconos-numerics-dev libmujoco-dev libsimbody-dev libdart-dev
           libbullet-dev libode-dev pkg-config"
  [package]="git lintian dpkg-dev file binutils mmdebstrap"
  [figures]="gnuplot-nox"
  [docs]="doxygen python3-sphinx furo python3-breathe python3-myst-parser libjs-mathjax python3-matplotlib chromium"
)

missing=()
for purpose in "${@:-build}"; do
  if [[ -z ${packages[$purpose]:-} ]]; then
    echo "install.sh: unknown purpose '$purpose'; there are: ${!packages[*]}" >&2
    exit 2
  fi
  for package in ${packages[$purpose]}; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ $status == installed ]] || missing+=("$package")
  done
  # Node may come from elsewhere than Debian, and then Debian's npm package would conflict with it: ask for the commands.
  if [[ $purpose == build ]]; then
    command -v node >/dev/null || missing+=(nodejs)
    command -v npm >/dev/null || missing+=(npm)
  fi
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

echo "installing: ${missing[*]}"
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "install.sh: these packages are missing and only root can install them: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
