"""AIF JSON in all its forms, and xAIF."""

from aifgraph.formats.aif.codec import Aif, Upload, Xaif

__all__ = ["Aif", "Upload", "Xaif"]
