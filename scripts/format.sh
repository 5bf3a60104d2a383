#!/bin/bash
# clang-format over the C++ sources: in place, or with --check only says what differs and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(-i)
[[ ${1:-} == --check ]] && mode=(--dry-run -Werror)
folders=()
for folder in carom apps benchmarks docs python testing; do
  [[ -d $folder ]] && folders+=("$folder")
done
find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cpp' \) -print0 | sort -z |
  xargs -0 --no-run-if-empty clang-format "${mode[@]}"
