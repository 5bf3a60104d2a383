"""Sphinx configuration of the manual. Built by `make docs`, which copies this folder and adds the API pages first."""

import os
import re
from pathlib import Path

_root = Path(os.environ["CAROM_SOURCE"])

project = "Carom"
author = "The Carom authors"
copyright = author
version = re.search(r'CAROM_VERSION "(\d+\.\d+\.\d+)"', (_root / "carom" / "version.h").read_text()).group(1)
release = version

extensions = ["myst_parser", "breathe", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3
myst_update_mathjax = False

breathe_projects = {"carom": os.environ["CAROM_DOXYGEN_XML"]}
breathe_default_project = "carom"
breathe_default_members = ("members",)
primary_domain = "cpp"
highlight_language = "none"

# MathJax 2.7 of libjs-mathjax, copied into _static by scripts/docs.sh: the pages need no network.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_CHTML"
mathjax2_config = {"CommonHTML": {"linebreaks": {"automatic": True}}}

# Dark where the reader's system is, a menu on phones, links to the pages before and after.
html_theme = "furo"
html_title = f"Carom {version}"
html_theme_options = {"navigation_with_keys": True}
pygments_dark_style = "monokai"
html_static_path = ["_static"]
html_show_sourcelink = False
html_copy_source = False
