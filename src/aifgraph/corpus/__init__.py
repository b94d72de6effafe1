"""Many maps: opening a corpus, pairing two, packing one, and counting what is in it."""

from aifgraph.corpus.corpus import Corpus, Entry, open_corpus

__all__ = ["Corpus", "Entry", "open_corpus"]
