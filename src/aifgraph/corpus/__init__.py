"""Many maps: opening a corpus, pairing two, packing one, and counting what is in it."""

from typing import TYPE_CHECKING

from aifgraph.corpus.corpus import Corpus, open_corpus
from aifgraph.corpus.entries import Entry
from aifgraph.corpus.pairing import Pair, Pairing, pair
from aifgraph.guesses import answering_module

__all__ = ["Corpus", "Entry", "Pair", "Pairing", "open_corpus", "pair"]

if not TYPE_CHECKING:
    __getattr__ = answering_module(__name__, __all__)
