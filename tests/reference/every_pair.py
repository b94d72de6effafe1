"""The library against the reference on every pair of analyses in ../shared/data, in all combinations of options.

Run it from the folder ``tests``: ``python -m reference.every_pair [PART PARTS]``. It prints how many comparisons were
held against each other and the largest difference, and stops at one above 1e-9 (1e-5 where embeddings are compared).
"""

from __future__ import annotations

import csv
import json
import math
import sys
import tempfile
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

from comparison.implementations import LIBRARY, REFERENCE

from .encode import encoder

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
MODEL = DATA.parent / "models" / "all-minilm-l6-v2-int8"
CHOICES: dict[str, tuple[Any, Any]] = {
    "meaning": (False, True),
    "granularity": ("merge", "strict"),
    "gate": (True, False),
    "layers": ("common", "all"),
    "mean": ("calculations", "layers"),
    "relations": (("RA", "CA", "MA", "PA"), ("RA", "MA")),
    "chance": (None, 2),
}


def every_pair() -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and arguments of each pair: two documents, and two source texts or None."""
    with (DATA / "araucaria" / "same_text_pairs.tsv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            first, second = (DATA / "araucaria" / row[side] for side in ("first", "second"))
            yield f"{first.stem} {second.stem}", _pair(first, second)
    for path in sorted((DATA / "dialam-2024" / "test" / "gold").glob("*.json")):
        yield path.stem, _pair(path, path.parents[1] / "system" / path.name)
    yield "28111", _pair(DATA / "xaif" / "28111.json", DATA / "xaif" / "28111_mistake.json")
    yield from _abstracts()


def _abstracts() -> Iterator[tuple[str, dict[str, Any]]]:
    """SciARG: every two annotators of an abstract."""
    from aifgraph.cli import main

    with tempfile.TemporaryDirectory() as folder:
        main(["convert", "--dataset", "sciarg", str(DATA / "sciarg" / "bio"), folder])
        by_abstract: dict[str, list[Path]] = {}
        for path in sorted(Path(folder).rglob("*.json")):
            by_abstract.setdefault(path.name, []).append(path)
        for name, paths in by_abstract.items():
            for first, second in combinations(paths, 2):
                yield f"{name} {first.parent.name} {second.parent.name}", _pair(first, second)


def _pair(first: Path, second: Path) -> dict[str, Any]:
    given: dict[str, Any] = {"first": json.loads(_read(first)), "second": json.loads(_read(second))}
    for side, path in (("first", first), ("second", second)):
        text = path.with_suffix(".txt")
        given[f"{side}_text"] = _read(text) if text.is_file() else None
    return given


def _read(path: Path) -> str:
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("windows-1252")


def differences(found: Any, wanted: Any, at: str) -> Iterator[tuple[float, str]]:
    """How far each number of the reference is from the library's, infinitely far where only one has a number."""
    if isinstance(wanted, list | tuple):
        wanted, found = dict(enumerate(wanted)), dict(enumerate(found))
    if isinstance(wanted, dict):
        for key in wanted.keys() - {"reason"}:  # in words, each its own
            yield from differences(found[key], wanted[key], f"{at} {key}")
    elif wanted is None or found is None:
        yield (0.0 if found is wanted else math.inf), at
    elif isinstance(wanted, int | float) and not isinstance(wanted, bool):
        yield abs(found - wanted), at


def numbers(result: dict[str, Any]) -> dict[str, Any]:
    """The numbers that both results hold under the same keys."""
    whole = {key: result[key] for key in ("mean", "cass", "layers", "text_overlap")}
    whole |= {"chance": result["chance"]} if "chance" in result else {}
    skipped = ("labels", "matrix")
    whole["calculations"] = {
        name: {key: value for key, value in calculation.items() if key not in skipped}
        for name, calculation in {**result["calculations"], "explicit": result.get("explicit", {})}.items()
    }
    whole["segmentation"] = {key: result["segmentation"][key] for key in ("S", "Pk", "WindowDiff")}
    whole["sides"] = {side: {"placed": result[side]["placed"], "units": result[side]["units"]} for side in _SIDES}
    whole["matched"] = {kind: result["alignment"][kind]["matched"] for kind in ("propositions", "locutions")}
    return whole


_SIDES = ("first", "second")


def main(part: int = 0, parts: int = 1) -> None:
    """Compare the pairs whose number is ``part`` modulo ``parts``."""
    model, reference_model = str(MODEL), encoder(MODEL)
    pairs = comparisons = compared = 0
    largest = (0.0, "nothing differs")
    for number, (name, given) in enumerate(every_pair()):
        if number % parts != part:
            continue
        pairs += 1
        for values in product(*CHOICES.values()):
            options = {key: value for key, value in zip(CHOICES, values, strict=True) if key != "meaning"}
            by_meaning = values[list(CHOICES).index("meaning")]
            found = LIBRARY(**given, **options, **({"meaning": model} if by_meaning else {}))
            wanted = REFERENCE(**given, **options, **({"meaning": reference_model} if by_meaning else {}))
            comparisons += 1
            for difference in differences(numbers(found), numbers(wanted), f"{name} {values}"):
                compared += 1
                largest = max(largest, difference)
        if largest[0] > 1e-9:
            sys.exit(f"they differ by {largest[0]} in {largest[1]}")
    print(f"{pairs} pairs, {comparisons} comparisons, {compared} numbers; the largest difference is {largest}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
