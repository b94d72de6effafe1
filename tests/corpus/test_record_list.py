"""Names in a temporary file, and where they stand among others: the same as lists and dictionaries of Python."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aifgraph.corpus import record_list
from aifgraph.corpus.lazy import Made, Mapped, compact
from aifgraph.corpus.lookup import Lookup
from aifgraph.corpus.record_list import NameList, RecordList

NAMES = st.lists(st.text(st.characters(exclude_categories=()), max_size=9), max_size=90)


@given(records=st.lists(st.binary(max_size=40), max_size=90), tail=st.integers(0, 300))
def test_records_are_those_of_a_list(records: list[bytes], tail: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(record_list, "_TAIL", tail)
        held = RecordList()
        for number, record in enumerate(records):
            assert held.append(record) == number
            assert held[number // 2] == records[number // 2]
    assert [held[number] for number in range(len(held))] == list(held) == records
    for outside in (-1, len(records)):
        with pytest.raises(IndexError):
            held[outside]


@given(names=NAMES, further=NAMES)
def test_names_are_found_as_in_a_dictionary(names: list[str], further: list[str]) -> None:
    held = NameList(before=2)
    found = Lookup(held)
    for name in names:
        if found.add(name, len(held)) == len(held):
            held.append(name, b"xy")
    assert tuple(held) == tuple(dict.fromkeys(names))
    found.finish()
    numbers = {name: number for number, name in enumerate(held)}
    assert [found.find(name) for name in names + further] == [numbers.get(name, -1) for name in names + further]
    last = Lookup.of(names, last=True)
    numbers = {name: number for number, name in enumerate(names)}
    assert [last.find(name) for name in names + further] == [numbers.get(name, -1) for name in names + further]


@given(items=st.lists(st.integers(), max_size=9), start=st.integers(-12, 12), end=st.integers(-12, 12))
def test_lazy_sequences_are_those_of_a_tuple(items: list[int], start: int, end: int) -> None:
    for lazy in (Made(range(len(items)), items.__getitem__), Mapped(items, int)):
        for step in (1, 2, -1, -3):
            assert tuple(lazy[start:end:step]) == tuple(items[start:end:step])
            assert tuple(lazy[start:end:step][::-1]) == tuple(items[start:end:step][::-1])
        assert lazy == tuple(items)
        assert hash(lazy) == hash(tuple(items))
        assert lazy != (*items, 0)


@given(numbers=st.lists(st.integers(0, 9), max_size=9))
def test_compact_numbers_are_the_same_numbers(numbers: list[int]) -> None:
    assert list(compact(numbers)) == numbers


def test_names_take_next_to_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_list, "_TAIL", 1 << 14)
    tracemalloc.start()
    try:
        names = NameList()
        for number in range(20_000):
            names.append(f"a folder/of maps/nodeset{number}")
        assert tracemalloc.get_traced_memory()[0] < 60_000  # a list of them: 1.6 MB
    finally:
        tracemalloc.stop()
    assert names[12_345] == "a folder/of maps/nodeset12345"


def test_no_room_for_names_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from aifgraph.errors import InputError

    monkeypatch.setattr(record_list, "_TAIL", 1)

    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    names = NameList()
    for number in range(16):
        names.append(str(number))
    with pytest.raises(InputError, match="no room for temporary files"):
        names.append("16")
