#!/bin/bash
# Builds the manual: docs.sh [FOLDER]. Doxygen reads the public headers, Sphinx the pages; a warning of either is an error.
# MathJax comes from Debian's package and is copied in, so that the pages need no network.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$(realpath -m "${1:-build/docs}")
mkdir -p "$out"
(cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $out") | doxygen -
CAROM_DOXYGEN_XML="$out/xml" sphinx-build -W --keep-going -q -j auto -d "$out/doctrees" -b html docs "$out/html"
echo "The manual: $out/html/index.html"
