"""AIFdb over the network: single maps, source texts, and whole corpora into a folder."""

from aifgraph.aifdb.client import AIFdb, Policy
from aifgraph.aifdb.fetch import Fetched, cache_corpus, cached_nodeset, fetch_corpus, fetch_nodesets

__all__ = ["AIFdb", "Fetched", "Policy", "cache_corpus", "cached_nodeset", "fetch_corpus", "fetch_nodesets"]
