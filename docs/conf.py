"""The site: Sphinx reads the pages of this folder. ``make docs`` builds it, strictly and offline."""

from __future__ import annotations

import aifgraph

project = "aifgraph"
author = copyright = "The aifgraph authors"
version = release = aifgraph.__version__
language = "en"

extensions = ["myst_nb"]
exclude_patterns = ["extend-example"]

# Pages
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300

# Looks: everything that a page needs is in the site, so that it can be read from a folder without a network.
html_theme = "furo"
html_title = f"aifgraph {release}"
html_static_path: list[str] = []
html_copy_source = False
html_show_sourcelink = False
