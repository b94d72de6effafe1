"""Reading and writing argument graphs: ``load``, ``loads``, ``dump``, ``dumps``, and the registry of formats."""

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.io import dump, dumps, load, loads
from aifgraph.formats.loss import LossReport

__all__ = ["Codec", "LossReport", "Written", "dump", "dumps", "load", "loads"]
