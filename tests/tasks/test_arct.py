"""SemEval-2018 task 12: the published ranking and p-values, by hand on three instances, and broken answers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.errors import FormatError, InputError, LimitError, OptionError
from aifgraph.tasks import arct
from aifgraph.tasks.arct import Answers, read_metadata


@pytest.fixture
def folder(fixtures: Path) -> Path:
    return fixtures / "tasks" / "arct"


def test_ranking_by_hand(folder: Path) -> None:
    gold = arct.read_answers(folder / "instances.txt")
    assert gold.labels == {"a1": 0, "a2": 1, "a3": 1}
    systems = arct.read_systems([folder / "second.txt", folder / "first.txt"])
    places = arct.ranking(gold, systems).places
    assert [(p.rank, p.name, p.right) for p in places] == [(1, "Ann", 2), (None, "bob", 2)]
    assert [{*p.status} for p in places] == [set(), {"withdrawn"}]
    assert places[0].accuracy == pytest.approx(2 / 3)


@pytest.mark.parametrize("content", ["", "# nothing\n", "a1 0\na1 1\n", "a1 2\n", "a1\n", "a1 0 1\n", "\xff 0\n"])
def test_bad_answers(tmp_path: Path, content: str) -> None:
    path = tmp_path / "answers.txt"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(InputError, match="answers"):
        arct.read_answers(path)


def test_missing_and_extra_ids_are_named() -> None:
    gold = Answers("gold", {"1": 0, "2": 1})
    with pytest.raises(InputError, match="id 2"):
        arct.ranking(gold, [Answers("s", {"1": 0})])
    with pytest.raises(InputError, match="id 3"):
        arct.significance(gold, [Answers("s", {"1": 0, "2": 0, "3": 0}), Answers("t", {"1": 0, "2": 0})])
    with pytest.raises(InputError):
        arct.significance(gold, [Answers("s", {"1": 0, "2": 0})])


def test_bad_metadata(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "m.xml"
    path.write_text('<!DOCTYPE x [<!ENTITY a "b">]><metadata>&a;</metadata>', encoding="utf-8")
    with pytest.raises(LimitError):
        read_metadata(path)
    path.write_text("<metadata>", encoding="utf-8")
    with pytest.raises(FormatError):
        read_metadata(path)
    with pytest.raises(InputError):
        arct.read_systems([folder / "first.txt"], tmp_path / "none.xml")


@given(st.lists(st.tuples(*[st.integers(0, 1)] * 4), min_size=1, max_size=40), st.integers(0, 99))
def test_p_values_do_not_depend_on_order(rows: list[tuple[int, ...]], seed: int) -> None:
    names = ("gold", "a", "b", "c")
    columns = [{str(n): row[k] for n, row in enumerate(rows)} for k in range(4)]
    gold, *systems = (Answers(name, labels) for name, labels in zip(names, columns, strict=True))
    first = arct.significance(gold, systems, rounds=99, seed=seed)
    ids = list(gold.labels)
    random.Random(seed).shuffle(ids)
    mixed = [Answers(s.name, {i: s.labels[i] for i in ids}) for s in (gold, *reversed(systems))]
    assert arct.significance(mixed[0], mixed[1:], rounds=99, seed=seed) == first
    assert all(test.p is not None and 0 < test.p <= 1 for test in first.tests)
    itself = arct.significance(gold, [systems[0], Answers("twin", systems[0].labels)], rounds=9)
    assert itself.p("a", "twin") == 1.0


def test_systems_are_left_out_by_status_or_name(folder: Path) -> None:
    systems = arct.read_systems([folder / "first.txt", folder / "second.txt"])
    assert [one.name for one in arct.without(systems, ["withdrawn"])] == ["Ann"]
    assert [one.name for one in arct.without(systems, ["Ann"])] == [systems[1].name]
    assert arct.without(systems, []) == systems
    with pytest.raises(OptionError, match="Zoe"):
        arct.without(systems, ["Zoe"])
    assert arct.without(systems, ["Ann", "withdrawn"]) == []
