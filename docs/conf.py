"""The site: Sphinx reads the pages of this folder and the docstrings. ``make docs`` builds it, strictly and offline."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "docs")]

import aifgraph  # noqa: E402

project = "aifgraph"
author = copyright = "The aifgraph authors"
version = release = aifgraph.__version__
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["extend-example"]

# Pages
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300

# Docstrings
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
autodoc_default_options = {"members": True, "inherited-members": True, "undoc-members": False}
napoleon_numpy_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
add_module_names = False
python_use_unqualified_type_names = True

# Every name of aifgraph in a signature has to lead somewhere; those of other libraries need a network to be found.
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!aifgraph\b).*"),
    ("py:.*", r"aifgraph\..*\.[A-Z]"),  # type variables
    (
        "py:class",
        r"aifgraph\.(align\.(analysis|axis|candidates|positions)|formats\.files|report\.html\.corpus|stats\.matrix)\..*",
    ),  # inner
]

#: What users import from, each with its ``__all__``.
MODULES = ("aifgraph", "aifgraph.datasets", "aifgraph.tasks.ruarg", "aifgraph.tasks.arct", "aifgraph.tasks.aurc")

# Looks: everything that a page needs is in the site, so that it can be read from a folder without a network.
html_theme = "furo"
html_title = f"aifgraph {release}"
html_static_path: list[str] = []
html_copy_source = False
html_show_sourcelink = False
suppress_warnings = ["ref.python"]  # ``type[…]`` in a signature is not the field of that name


def _public_names() -> dict[str, str]:
    """Where a name is imported from, by where it is defined."""
    names = {}
    for module in map(import_module, MODULES):
        for name in module.__all__:
            home, own = (getattr(getattr(module, name), key, None) for key in ("__module__", "__qualname__"))
            names[f"{home}.{own}"] = f"{module.__name__}.{name}"
    return names


PUBLIC = _public_names()


def _public(app: Sphinx, env: Any, node: Any, contnode: Any) -> Any:
    """A name that a signature has from where it is defined leads to where it is documented."""
    target = str(node.get("reftarget", ""))
    name = target.rpartition(".")[2]
    found = PUBLIC.get(target, f"aifgraph.{name}" if name in aifgraph.__all__ else target)
    if node.get("refdomain") != "py" or found == target:
        return None
    return env.get_domain("py").resolve_xref(env, node["refdoc"], app.builder, "obj", found, node, contnode)


def _commands(app: Sphinx, docname: str, source: list[str]) -> None:
    """The page on the commands goes on with what the commands say of themselves."""
    if docname == "reference/commands":
        from commands_page import commands_page

        source[0] += "\n" + commands_page()


def setup(app: Sphinx) -> None:
    app.connect("source-read", _commands)
    app.connect("missing-reference", _public)
