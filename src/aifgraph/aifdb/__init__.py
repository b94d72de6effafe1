"""AIFdb over the network: single maps, corpora, source texts, search and upload, politely and in pieces."""

from aifgraph.aifdb.client import AIFdb

__all__ = ["AIFdb"]
