"""Many maps: opening a corpus, pairing two, packing one, and counting what is in it."""

from aifgraph.corpus.corpus import Corpus, Entry, open_corpus
from aifgraph.corpus.pairing import Pair, Pairing, pair

__all__ = ["Corpus", "Entry", "Pair", "Pairing", "open_corpus", "pair"]
