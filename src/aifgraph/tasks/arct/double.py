"""Adversarial doubling: each instance gets a twin with the opposite claim, for which the other warrant is right.

A cue in a warrant's words then helps as often as it misleads (the paper's section 5). The opposite claim has to be
written by a person: it comes from a file or a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from aifgraph.errors import InputError
from aifgraph.tasks.arct.data import Instance
from aifgraph.tasks.tsv import read_sheet, some

TWIN = "_twin"
"""What a twin's id ends in."""


def double(instances: Iterable[Instance], opposite: Callable[[Instance], str]) -> list[Instance]:
    """Each instance and, after it, its twin: claim ``opposite(instance)``, the two warrants swapped, the same label.

    The label stays the same *number*, so that it now points to the text that was wrong.

    >>> one = Instance("1", "it is safe", "it is not safe", 0, "Many fly.", "Flying is good")
    >>> double([one], lambda instance: "Flying is not good")[1].warrant0
    'it is not safe'
    """
    doubled = []
    for one in instances:
        twin = replace(one, id=one.id + TWIN, claim=opposite(one), warrant0=one.warrant1, warrant1=one.warrant0)
        doubled += [one, twin]
    return doubled


def opposites(path: str | Path, instances: Sequence[Instance]) -> Callable[[Instance], str]:
    """The function that looks an instance's opposite claim up in a file with the columns ``#id`` and ``claim``.

    Raises:
        InputError: an instance has no opposite claim there, or one that is empty or the same as its own; an id is
            repeated or unknown.
    """
    sheet = read_sheet(path, ("id", "claim"))
    claims: dict[str, str] = {}
    for line, record in sheet.records():
        if record["id"] in claims:
            raise InputError(f"the id {record['id']} is repeated", where=f"{sheet.name}, line {line}")
        claims[record["id"]] = record["claim"].strip()
    if missing := [one.id for one in instances if not claims.get(one.id)]:
        raise InputError(f"no opposite claim for the id {some(missing)}", where=sheet.name)
    if same := [one.id for one in instances if claims[one.id] == one.claim.strip()]:
        raise InputError(f"the claim is not changed for the id {some(same)}", where=sheet.name)
    if extra := sorted(claims.keys() - {one.id for one in instances}):
        raise InputError(f"the id {some(extra)} is not among the instances", where=sheet.name)
    return lambda one: claims[one.id]
