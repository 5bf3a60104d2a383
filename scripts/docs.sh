#!/bin/bash
# Builds the manual: docs.sh [FOLDER [BUILD]]. Doxygen reads the public headers, Sphinx the pages; a warning of either is an error.
# The program and the Python module of the build folder draw the pictures of the tutorials.
# MathJax and normalize.css come from Debian's packages and are copied in, so that the pages need neither network nor server.
set -euo pipefail
cd "$(dirname "$0")/.."

out=$(realpath -m "${1:-build/docs}") build=$(realpath "${2:-build}")
mathjax=/usr/share/javascript/mathjax
# All anew each time: Sphinx takes minutes to take changed API pages back out of what it cached.
rm -rf "$out/xml" "$out/doctrees"
mkdir -p "$out"
(cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $out") | doxygen -
python3 scripts/docs_pages.py "$out/source" "$out/xml"
/usr/bin/python3 -B scripts/tutorial_pictures.py "$build" "$out/source/manual/tutorials"

static=$out/source/_static/mathjax
mkdir -p "$static"/{config,jax,fonts/HTML-CSS}
cp "$mathjax/MathJax.js" "$static"
cp "$mathjax/config/TeX-AMS_CHTML.js" "$static/config"
cp -r "$mathjax/extensions" "$static"
cp -r "$mathjax/jax/"{element,input,output} "$static/jax"
cp -r "$mathjax/fonts/HTML-CSS/TeX" "$static/fonts/HTML-CSS"

CAROM_SOURCE=$PWD CAROM_DOXYGEN_XML=$out/xml \
  sphinx-build -W --keep-going -q -d "$out/doctrees" -b html "$out/source" "$out/html"
# Debian's furo takes normalize.css from a web server, and its script imports another one, which no page loads as a module.
theme=$out/html/_static
grep -q '^@import url(/javascript/normalize.css/normalize.css);' "$theme/styles/furo.css"
grep -q '^import Gumshoe' "$theme/scripts/furo.js"
cp /usr/share/javascript/normalize.css/normalize.css "$theme/styles"
sed -i 's|^@import url(/javascript/normalize.css/normalize.css);|@import url(normalize.css);|' "$theme/styles/furo.css"
sed -i '/^import Gumshoe/d' "$theme/scripts/furo.js"
cat "$theme/scripts/gumshoe-patched.js" "$theme/scripts/furo.js" > "$theme/scripts/both.js"
mv "$theme/scripts/both.js" "$theme/scripts/furo.js"
scripts/readability.py | sed -n '1p;$p'
echo "The manual: $out/html/index.html"
