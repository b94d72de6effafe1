"""The version, in a module that nothing else hangs on."""

__version__ = "0.2.0"
