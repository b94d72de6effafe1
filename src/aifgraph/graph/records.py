"""The entries of a large file, kept in a quarter of the memory that they take as parsed JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload


class Records(Sequence[Mapping[str, Any]]):
    """Entries with the same fields in the same order, kept as one column a field; each is made when asked for.

    ``known`` holds a value for every one that was met before, so that equal strings (ids, labels) are kept once.

    >>> known: dict[object, object] = {}
    >>> records = Records.of([{"a": 1, "b": "x"}, {"a": 2, "b": "x"}], known)
    >>> records[1], records[-1] == records[1], len(records)
    ({'a': 2, 'b': 'x'}, True, 2)
    >>> Records.of([{"a": 1}, {"b": 2}], known)
    [{'a': 1}, {'b': 2}]
    """

    __slots__ = ("_columns", "_fields")

    def __init__(self, fields: tuple[str, ...], columns: list[list[Any]]) -> None:
        self._fields, self._columns = fields, columns

    @classmethod
    def of(cls, entries: Sequence[Mapping[str, Any]], known: dict[object, object]) -> Sequence[Mapping[str, Any]]:
        """The entries as columns, or as they are where their fields differ."""
        shapes = set(map(tuple, entries))
        if len(shapes) != 1:
            return entries
        fields = shapes.pop()
        return cls(fields, [once([entry[field] for entry in entries], known) for field in fields])

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[Mapping[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, Any] | list[Mapping[str, Any]]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        return {field: column[index] for field, column in zip(self._fields, self._columns, strict=True)}

    def __len__(self) -> int:
        return len(self._columns[0]) if self._columns else 0

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for row in zip(*self._columns, strict=True):
            yield dict(zip(self._fields, row, strict=True))


def once(values: list[Any], known: dict[object, object]) -> list[Any]:
    """The values, each string the one that is ``known`` for it already."""
    return [known.setdefault(value, value) if type(value) is str else value for value in values]
