"""Defaults of the evaluation, in a module of its own: the help of commands needs them, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: The scores of systems that are tested: of CASS, and of the argument among what was said.
DEFAULT_TESTED: Final = ("kappa", "f1", "ER-kappa", "ER-f1")
#: The scores that most tables show, and how they write them.
SHOWN: Final[Mapping[str, str]] = {"kappa": "κ", "f1": "F1"}
