"""What changed between two results, and why: options, version, and the maps by their hashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isclose
from typing import Any

from aifgraph.comparison.options import OPTIONS, signature_words
from aifgraph.errors import InputError
from aifgraph.formats.result_files import is_corpus_result
from aifgraph.stats.scores import SCORES
from aifgraph.tables import Cell, Table

#: Two numbers that differ by less are one: the last digits depend on the machine.
TOLERANCE = 1e-9
#: Names of pairs that a reason lists.
_LISTED = 5
_NAMES = {option.key: name for name, option in OPTIONS.items() if option.key}
_OTHER_NAMES = {"pair": "pairs are made by", "missing": "maps without a partner", "axis": "diff of the texts"}
_CUTS = ("S", "B", "Pk", "WindowDiff")

Numbers = dict[tuple[str, str], float | None]


@dataclass(frozen=True, slots=True)
class ChangedNumber:
    """A number that differs between two results.

    Attributes:
        of: what it is of: a layer, a calculation, a pair.
        score: the name of the score.
        before: its value in the earlier result; None where it is undefined.
        now: its value in the later result; None where it is undefined.
    """

    of: str
    score: str
    before: float | None
    now: float | None

    @property
    def by(self) -> float | None:
        """The difference; None where one of the two is undefined."""
        return None if self.before is None or self.now is None else self.now - self.before


@dataclass(frozen=True)
class ResultChanges:
    """What changed between two results, and why.

    Attributes:
        numbers: the numbers that differ by more than 1e-9.
        reasons: what is different in options, version and maps, in words.
        compared: how many numbers both results have.
        signatures: the signature of the earlier and of the later result.

    >>> import aifgraph
    >>> maps = "fixtures/debate/first.json", "fixtures/debate/second.json"
    >>> before, now = aifgraph.compare(*maps), aifgraph.compare(*maps, min_overlap=1.0)
    >>> ResultChanges.between(before.to_dict(), now.to_dict()).reasons
    ('option min_overlap: 0.5 before, 1 now',)
    """

    numbers: tuple[ChangedNumber, ...]
    reasons: tuple[str, ...]
    compared: int
    signatures: tuple[str, str]

    @classmethod
    def between(cls, before: Mapping[str, Any], now: Mapping[str, Any]) -> ResultChanges:
        """The changes from one result to another.

        Args:
            before: the earlier result, as ``to_dict`` gives it.
            now: the later result, as ``to_dict`` gives it.

        Returns:
            The changes.

        Raises:
            InputError: one is of two maps, the other of two corpora.
        """
        if is_corpus_result(before) != is_corpus_result(now):
            kinds = ["two corpora" if is_corpus_result(each) else "two maps" for each in (before, now)]
            remedy = f"compare {kinds[0]}, or give a result of {kinds[1]}"
            raise InputError(f"the earlier result is of {kinds[0]}, this one of {kinds[1]}", remedy=remedy)
        old, new = dict(_numbers(before)), dict(_numbers(now))
        common = [key for key in new if key in old]
        numbers = tuple(ChangedNumber(*key, old[key], new[key]) for key in common if not _equal(old[key], new[key]))
        reasons = [*_made_otherwise(before, now), *_other_inputs(before, now)]
        if numbers and not reasons:
            reasons.append("neither options nor version nor maps: another version of a library, or another machine")
        return cls(numbers, tuple(reasons), len(common), (before["signature"], now["signature"]))

    @property
    def headline(self) -> str:
        """How many numbers changed."""
        if not self.numbers:
            return f"no number changed ({self.compared} compared)"
        return f"{len(self.numbers)} of {self.compared} numbers changed"

    def tables(self) -> list[Table]:
        """The changes as tables.

        Returns:
            The reasons, and every number that changed; no table where there are none.
        """
        reasons = Table("What is different", ("reason",), [[reason] for reason in self.reasons])
        rows: list[list[Cell]] = [[each.of, each.score, each.before, each.now, each.by] for each in self.numbers]
        changed = Table("Changed", ("of", "score", "before", "now", "difference"), rows)
        return [table for table in (reasons, changed) if table.rows]

    def to_dict(self) -> dict[str, Any]:
        """For JSON.

        Returns:
            Plain values, with ``signatures``, ``compared``, ``reasons`` and ``changed``.
        """
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


def _numbers(result: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], float | None]]:
    if not is_corpus_result(result):
        yield from _of_pair(result)
        return
    for pooled in ("macro", "micro"):
        yield from _of_layers(result[pooled], pooled)
        yield (pooled, "S"), result[pooled].get("S")
    for pair in result["pairs"]:
        name = f"pair {pair['name']}"
        yield from (((name, f"CASS {score}"), pair["cass"].get(score)) for score in SCORES)
        yield (name, "S"), pair["segmentation"]["S"]


def _of_pair(result: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], float | None]]:
    yield from _of_layers(result, "all")
    yield from ((("segmentation", name), result["segmentation"].get(name)) for name in _CUTS)
    for name, calculation in result["calculations"].items():
        yield from (((name, score), calculation.get(score)) for score in ("items", "decisions", *SCORES))
    yield from ((("measures", name), value) for name, value in (result.get("measures") or {}).items())


def _of_layers(result: Mapping[str, Any], whole: str) -> Iterator[tuple[tuple[str, str], float | None]]:
    layers = {whole: {**result["cass"], "mean": result["mean"]}}
    prefix = "" if whole == "all" else f"{whole} "
    layers |= {f"{prefix}{layer}": scores for layer, scores in result["layers"].items()}
    for layer, scores in layers.items():
        yield from (((layer, f"CASS {score}"), scores.get(score)) for score in SCORES)
        yield from (((layer, f"M {score}"), (scores.get("mean") or {}).get(score)) for score in SCORES)


def _made_otherwise(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    old, new = signature_words(before["signature"]), signature_words(now["signature"])
    for key in dict.fromkeys((*old, *new)):
        if key not in ("v", "in") and old.get(key) != new.get(key):
            what = f"option {_NAMES[key]}" if key in _NAMES else _OTHER_NAMES.get(key, f"part {key} of the signature")
            yield f"{what}: {old.get(key, 'not there')} before, {new.get(key, 'not there')} now"
    if before["aifgraph"] != now["aifgraph"]:
        yield f"version of aifgraph: {before['aifgraph']} before, {now['aifgraph']} now"


def _other_inputs(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    if not is_corpus_result(now):
        for side in ("first", "second"):
            old, new = before[side], now[side]
            if old["sha256"] != new["sha256"]:
                yield f"{side} map: {old['source']} ({old['sha256']}) before, {new['source']} ({new['sha256']}) now"
        return
    ours = {tuple(pair["names"]): pair for pair in before["pairs"]}
    theirs = {tuple(pair["names"]): pair for pair in now["pairs"]}
    changed = [
        pair["name"]
        for names, pair in theirs.items()
        if names in ours and any(pair[side]["sha256"] != ours[names][side]["sha256"] for side in ("first", "second"))
    ]
    groups = {
        "changed maps in": changed,
        "new": [pair["name"] for names, pair in theirs.items() if names not in ours],
        "gone": [pair["name"] for names, pair in ours.items() if names not in theirs],
    }
    yield from (f"{what} {_listed(names)}" for what, names in groups.items() if names)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{len(names)} {'pair' if len(names) == 1 else 'pairs'}: {', '.join(islice(names, _LISTED))}{more}"
