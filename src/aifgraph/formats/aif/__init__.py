"""AIF JSON in all its forms, and xAIF."""

from aifgraph.formats.aif.codec import Aif, Upload
from aifgraph.formats.aif.xaif import Xaif

__all__ = ["Aif", "Upload", "Xaif"]
