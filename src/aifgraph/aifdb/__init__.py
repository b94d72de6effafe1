"""AIFdb over the network: single maps, corpora, source texts, search and upload, politely and in pieces."""

from typing import TYPE_CHECKING

from aifgraph.aifdb.client import AIFdb
from aifgraph.guesses import answering_module

__all__ = ["AIFdb"]

if not TYPE_CHECKING:
    __getattr__ = answering_module(__name__, __all__)
