"""Comparisons as HTML: one self-contained file for a pair, a folder of linked pages for a corpus.

The pages work from a file, without a network: script and style stand in them and are the only ones that the content
security policy lets run. Texts from maps are only ever set as text.
"""

from aifgraph.report.html.corpus import CorpusPages
from aifgraph.report.html.page import report_html

__all__ = ["CorpusPages", "report_html"]
