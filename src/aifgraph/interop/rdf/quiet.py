"""rdflib's warnings of its own use of what it has deprecated: nobody here could do anything about them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet_rdflib() -> Iterator[None]:
    """No deprecation warnings of ``ConjunctiveGraph``, ``Dataset.contexts`` and ``Dataset.default_context``."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"(ox)?rdflib\b")
        yield
