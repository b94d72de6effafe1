"""Reading and writing argument graphs: ``load``, ``loads``, ``dump``, ``dumps``, and the registry of formats."""

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.io import dump, dumps, from_dict, load, loads, to_dict

__all__ = ["Codec", "Written", "dump", "dumps", "from_dict", "load", "loads", "to_dict"]
