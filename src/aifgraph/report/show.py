"""A comparison, or one of corpora, as pages that a browser opens."""

from __future__ import annotations

import tempfile
import webbrowser
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from aifgraph.formats.files import write_atomic

if TYPE_CHECKING:
    from aifgraph.comparison.compare import Comparison
    from aifgraph.evaluation.corpus_comparison import CorpusComparison


def show_comparison(result: Comparison, path: str | PathLike[str] | None = None, *, browser: bool = True) -> Path:
    """Write the page of a comparison and open it.

    Args:
        result: The comparison.
        path: Where the page goes; by default a new temporary file, which stays.
        browser: Whether to open it in the user's browser.

    Returns:
        The file.

    Raises:
        InputError: The file cannot be written.
    """
    page = Path(path) if path is not None else Path(tempfile.mkdtemp(prefix="aifgraph-")) / "comparison.html"
    write_atomic(page, result.to_html())
    return _opened(page, browser)


def show_corpora(result: CorpusComparison, folder: str | PathLike[str] | None = None, *, browser: bool = True) -> Path:
    """Write the pages of a comparison of corpora and open the first. Every pair is compared again.

    Args:
        result: The comparison.
        folder: Where the pages go, new or empty; by default a new temporary folder, which stays.
        browser: Whether to open them in the user's browser.

    Returns:
        The page of the whole, ``index.html``.

    Raises:
        InputError: The folder holds something else, or a map cannot be read any more.
    """
    from aifgraph.report.html import CorpusPages

    pages = CorpusPages(folder if folder is not None else tempfile.mkdtemp(prefix="aifgraph-"))
    for pair, comparison in zip(result.pairs, result.comparisons, strict=True):
        pages.pair(pair.name, comparison)
    return _opened(pages.index(result), browser)


def _opened(page: Path, browser: bool) -> Path:
    if browser:
        webbrowser.open(page.resolve().as_uri())
    return page
