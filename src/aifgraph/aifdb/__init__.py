"""AIFdb over the network: single maps, source texts, and corpora, politely and in pieces."""

from aifgraph.aifdb.client import AIFdb

__all__ = ["AIFdb"]
