"""The document of two corpora as it is stored: what reads, validates and describes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from aifgraph.comparison.options import Options
from aifgraph.comparison.result import JSON, PairResult
from aifgraph.comparison.result_files import damaged

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True)
class Unpaired:
    """Maps without a partner, by name."""

    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True)
class Failure:
    """A map that could not be read, or a pair that could not be compared."""

    name: str
    error: str


@dataclass(frozen=True)
class StoredCorpus:
    """What a document of two corpora has besides the numbers that follow from its pairs."""

    __pydantic_config__: ClassVar = JSON

    signature: str
    unpaired: Unpaired
    failed: tuple[Failure, ...]
    messages: tuple[str, ...]
    pairs: tuple[PairResult, ...]
    intervals: dict[str, Any] | None = None


@cache
def corpus_adapter() -> TypeAdapter[StoredCorpus]:
    """What reads, validates and describes the documents of two corpora; made on first use."""
    from pydantic import TypeAdapter

    return TypeAdapter(StoredCorpus)


def options_of(words: Mapping[str, str], *, hashes: bool = False) -> Options:
    """What the numbers of the whole depend on; the rest of the options stands in the signature."""
    rounds, _, seed = words.get("chance", "off").partition(".")
    options = Options(
        hashes=hashes or "in" in words, mean="layers" if words.get("mean") == "layers" else "calculations"
    )
    try:
        return options.changed(chance=int(rounds), seed=int(seed or 0)) if rounds.isdecimal() else options
    except ValueError as error:
        raise damaged(f"its signature: {error}") from None
