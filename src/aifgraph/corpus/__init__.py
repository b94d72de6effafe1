"""Many maps: opening a corpus, pairing two, and counting what is in it."""

from aifgraph.corpus.corpus import Corpus, open_corpus
from aifgraph.corpus.entries import Entry
from aifgraph.corpus.pairing import Pair, Pairing, pair

__all__ = ["Corpus", "Entry", "Pair", "Pairing", "open_corpus", "pair"]
