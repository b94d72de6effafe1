"""AIF JSON in all its forms, and xAIF."""

from aifgraph.formats.aif.codec import Aif, Xaif
from aifgraph.formats.aif.upload import Upload

__all__ = ["Aif", "Upload", "Xaif"]
