"""Reading and writing argument graphs: ``load``, ``loads``, ``dump``, ``dumps``, and the registry of formats."""

from typing import TYPE_CHECKING

from aifgraph.formats.codec import Codec, Written
from aifgraph.formats.io import dump, dumps, from_dict, load, loads, to_dict
from aifgraph.formats.losses import LossReport
from aifgraph.guesses import answering_module

__all__ = ["Codec", "LossReport", "Written", "dump", "dumps", "from_dict", "load", "loads", "to_dict"]

if not TYPE_CHECKING:
    __getattr__ = answering_module(__name__, __all__)
