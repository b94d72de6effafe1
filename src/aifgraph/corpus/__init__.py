"""Corpora: many maps in a folder, a zip archive or JSON lines; pairing two, counting one, writing one."""

from aifgraph.corpus.corpus import Corpus, Entry, open_corpus
from aifgraph.corpus.counts import CorpusCounts
from aifgraph.corpus.pairing import Pair, Pairing, pair
from aifgraph.corpus.writing import Conversion, open_writer, union, write_corpus

__all__ = [
    "Conversion",
    "Corpus",
    "CorpusCounts",
    "Entry",
    "Pair",
    "Pairing",
    "open_corpus",
    "open_writer",
    "pair",
    "union",
    "write_corpus",
]
