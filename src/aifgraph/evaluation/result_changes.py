"""What changed between two results, and why: options, version, and the maps by their hashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isclose
from typing import Any

from aifgraph.comparison.cass import Fused, ScoreLayer
from aifgraph.comparison.options import OPTIONS, signature_words
from aifgraph.comparison.result import PairResult
from aifgraph.errors import InputError
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.tables import Cell, Document, Result, Table

#: Two numbers that differ by less are one: the last digits depend on the machine.
TOLERANCE = 1e-9
#: Names of pairs that a reason lists.
_LISTED = 5
_NAMES = {option.key: name for name, option in OPTIONS.items() if option.key}
_OTHER_NAMES = {
    "pair": "pairs are made by",
    "missing": "maps without a partner",
    "axis": "diff of the texts",
    "v": "version of aifgraph",
}


@dataclass(frozen=True, slots=True)
class ChangedNumber:
    """A ``score`` of a layer, a calculation or a pair that differs between two results; None is undefined."""

    of: str
    score: str
    before: float | None
    now: float | None

    @property
    def by(self) -> float | None:
        """The difference; None where one of the two is undefined."""
        return None if self.before is None or self.now is None else self.now - self.before


@dataclass(frozen=True)
class ResultChanges(Result):
    """What changed between two results, and why.

    Attributes:
        numbers: the numbers that differ by more than 1e-9.
        reasons: what is different in options, version and maps, in words.
        compared: how many numbers both results have.
        signatures: the signature of the earlier and of the later result.

    >>> import aifgraph
    >>> maps = "fixtures/debate/first.json", "fixtures/debate/second.json"
    >>> before, now = aifgraph.compare(*maps), aifgraph.compare(*maps, min_overlap=1.0)
    >>> ResultChanges.between(before, now).reasons
    ('option min_overlap: 0.5 before, 1 now',)
    """

    numbers: tuple[ChangedNumber, ...]
    reasons: tuple[str, ...]
    compared: int
    signatures: tuple[str, str]

    @classmethod
    def between(cls, before: PairResult | CorpusComparison, now: PairResult | CorpusComparison) -> ResultChanges:
        """The changes from an earlier result to a later one.

        Raises:
            InputError: one is of two maps, the other of two corpora.
        """
        if isinstance(before, PairResult) != isinstance(now, PairResult):
            earlier, later = ("two maps" if isinstance(each, PairResult) else "two corpora" for each in (before, now))
            remedy = f"compare {earlier}, or give a result of {later}"
            raise InputError(f"the earlier result is of {earlier}, this one of {later}", remedy=remedy)
        old, new = dict(_numbers(before)), dict(_numbers(now))
        common = [key for key in new if key in old]
        numbers = tuple(ChangedNumber(*key, old[key], new[key]) for key in common if not _equal(old[key], new[key]))
        reasons = [*_made_otherwise(before.signature, now.signature), *_other_inputs(before, now)]
        if numbers and not reasons:
            reasons.append("neither options nor version nor maps: another version of a library, or another machine")
        return cls(numbers, tuple(reasons), len(common), (before.signature, now.signature))

    @property
    def headline(self) -> str:
        """How many numbers changed."""
        if not self.numbers:
            return f"no number changed ({self.compared} compared)"
        return f"{len(self.numbers)} of {self.compared} numbers changed"

    def tables(self) -> list[Table]:
        """The reasons, and every number that changed; no table where there are none."""
        reasons = Table("What is different", ("reason",), [[reason] for reason in self.reasons])
        rows: list[list[Cell]] = [[each.of, each.score, each.before, each.now, each.by] for each in self.numbers]
        changed = Table("Changed", ("of", "score", "before", "now", "difference"), rows)
        return [table for table in (reasons, changed) if table.rows]

    def document(self) -> Document:
        """What the command line writes."""
        before, now = self.signatures
        signature = f"now    {now}" if before == now else f"before {before}\nnow    {now}"
        return Document(tables=self.tables(), headline=self.headline, signature=signature)

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "signatures": {"before": self.signatures[0], "now": self.signatures[1]},
            "compared": self.compared,
            "reasons": list(self.reasons),
            "changed": [
                {"of": each.of, "score": each.score, "before": each.before, "now": each.now} for each in self.numbers
            ],
        }


def _equal(before: float | None, now: float | None) -> bool:
    if before is None or now is None:
        return before is now
    return isclose(before, now, rel_tol=0, abs_tol=TOLERANCE)


def _numbers(result: PairResult | CorpusComparison) -> Iterator[tuple[tuple[str, str], float | None]]:
    if isinstance(result, PairResult):
        cuts = result.segmentation
        yield from _of_layers(result.over, "")
        for name, value in (("S", cuts.S), ("B", cuts.B), ("Pk", cuts.Pk), ("WindowDiff", cuts.WindowDiff)):
            yield ("segmentation", name), value
        for name, of in result.calculations.items():
            counts = {"items": of.items_total, "decisions": of.matrix.total}
            yield from (((name, score), value) for score, value in {**counts, **of.scores}.items())
        yield from ((("measures", name), value) for name, value in result.measures.items())
        return
    for pooled, whole in (("macro", result.macro), ("micro", result.micro)):
        yield from _of_layers(whole.over, pooled)
        yield (pooled, "S"), whole.S
    for pair in result.pairs:
        name = f"pair {pair.name}"
        yield from (((name, f"CASS {score}"), value) for score, value in pair.cass.items())
        yield (name, "S"), pair.S


def _of_layers(over: Mapping[ScoreLayer, Fused], of: str) -> Iterator[tuple[tuple[str, str], float | None]]:
    for layer, scores in over.items():
        name = f"{of} {layer}" if of and layer != "all" else of or layer
        yield from (((name, f"CASS {score}"), value) for score, value in scores.cass.items())
        yield from (((name, f"M {score}"), value) for score, value in scores.mean.items())


def _made_otherwise(before: str, now: str) -> Iterator[str]:
    """What differs between two signatures, hashes of maps and intervals (no other number depends on them) aside."""
    old, new = signature_words(before), signature_words(now)
    for key in dict.fromkeys((*old, *new)):
        if key not in ("in", "ci") and old.get(key) != new.get(key):
            what = f"option {_NAMES[key]}" if key in _NAMES else _OTHER_NAMES.get(key, f"part {key} of the signature")
            yield f"{what}: {old.get(key, 'not there')} before, {new.get(key, 'not there')} now"


def _other_inputs(before: PairResult | CorpusComparison, now: PairResult | CorpusComparison) -> Iterator[str]:
    if isinstance(before, PairResult) and isinstance(now, PairResult):
        for side, old, new in zip(("first", "second"), before.sides, now.sides, strict=True):
            if old.sha256 != new.sha256:
                yield f"{side} map: {old.source} ({old.sha256}) before, {new.source} ({new.sha256}) now"
    elif not isinstance(before, PairResult) and not isinstance(now, PairResult):
        ours, theirs = (
            {pair.names: tuple(side.sha256 for side in pair.sides) for pair in result.pairs} for result in (before, now)
        )
        groups = {
            "changed maps in": [names for names in theirs if names in ours and theirs[names] != ours[names]],
            "new": [names for names in theirs if names not in ours],
            "gone": [names for names in ours if names not in theirs],
        }
        yield from (f"{what} {_listed([each.shown for each in names])}" for what, names in groups.items() if names)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{len(names)} {'pair' if len(names) == 1 else 'pairs'}: {', '.join(islice(names, _LISTED))}{more}"
