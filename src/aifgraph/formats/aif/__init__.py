"""AIF JSON in all its forms, and xAIF."""

from aifgraph.formats.aif.codec import Aif
from aifgraph.formats.aif.xaif import Xaif

__all__ = ["Aif", "Xaif"]
