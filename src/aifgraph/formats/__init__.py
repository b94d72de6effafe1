"""Reading and writing argument graphs: ``load``, ``loads``, ``dump``, ``dumps``, and the registry of formats."""

from aifgraph.formats.codec import Codec, LossReport, Written
from aifgraph.formats.io import dump, dumps, load, loads

__all__ = ["Codec", "LossReport", "Written", "dump", "dumps", "load", "loads"]
