"""Many small records, such as the names of maps, in a temporary file: next to nothing of them is in memory."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Iterator
from typing import Final

from aifgraph.corpus.lazy import LazySequence, Made
from aifgraph.corpus.temporary import temporary_room
from aifgraph.formats.archives import RandomAccessFile

#: Records whose place in the file is kept as one number.
_BLOCK: Final = 16
#: Bytes that are kept in memory; so few records need no file.
_TAIL: Final = 1 << 20
_SIZE: Final = 4  # bytes before each record, which say how long it is


class RecordList:
    """Records of bytes by number, in the order in which they were added; half a byte of memory each.

    Up to 1 MiB is kept in memory; what is more goes to a temporary file without a name.

    >>> records = RecordList()
    >>> records.append(b"nodeset1"), records.append(b"nodeset2"), records[1], len(records)
    (0, 1, b'nodeset2', 2)
    """

    def __init__(self) -> None:
        self._count = 0
        self._starts = array("Q")  # where each block starts
        self._tail = bytearray()  # what is not in the file yet
        self._written = 0
        self._file: RandomAccessFile | None = None
        self._last: tuple[int, list[bytes]] = (-1, [])

    def __len__(self) -> int:
        return self._count

    def append(self, record: bytes) -> int:
        """Add a record, which may be of 4 GiB at most; its number.

        Raises:
            InputError: there is no room for temporary files.
        """
        if self._count % _BLOCK == 0:
            if len(self._tail) >= _TAIL:
                self._put()
            self._starts.append(self._written + len(self._tail))
        self._tail += len(record).to_bytes(_SIZE, "little")
        self._tail += record
        self._count += 1
        return self._count - 1

    def __getitem__(self, number: int) -> bytes:
        if not 0 <= number < self._count:
            raise IndexError(number)
        block, place = divmod(number, _BLOCK)
        known = self._last
        if known[0] != block or place >= len(known[1]):
            known = self._last = (block, self._records(block))
        return known[1][place]

    def __iter__(self) -> Iterator[bytes]:
        for block in range(len(self._starts)):
            yield from self._records(block)

    def _records(self, block: int) -> list[bytes]:
        """The records of a block."""
        start = self._starts[block]
        if start >= self._written:
            end = self._starts[block + 1] - self._written if block + 1 < len(self._starts) else len(self._tail)
            data = bytes(self._tail[start - self._written : end])
        else:
            assert self._file is not None
            end = self._starts[block + 1] if block + 1 < len(self._starts) else self._written
            data = self._file.read(start, end - start)
        records: list[bytes] = []
        place = 0
        while place < len(data):
            size = int.from_bytes(data[place : place + _SIZE], "little")
            place += _SIZE + size
            records.append(data[place - size : place])
        return records

    def _put(self) -> None:
        """Write what is in memory to the file."""
        with temporary_room():
            if self._file is None:
                self._file = RandomAccessFile(tempfile.TemporaryFile(prefix="aifgraph-", buffering=0))  # noqa: SIM115
            self._file.append(self._tail)
        self._written += len(self._tail)
        self._tail = bytearray()


class NameList(LazySequence[str]):
    """Names by number, in a ``RecordList``; what stands before each name there is not part of it.

    >>> names = NameList()
    >>> names.append("nodeset1")
    0
    >>> names[0]
    'nodeset1'
    """

    def __init__(self, before: int = 0) -> None:
        self._records = RecordList()
        self._before = before

    def append(self, name: str, before: bytes = b"") -> int:
        """Add a name, and what stands ``before`` it; its number. Raises the errors of ``RecordList.append``."""
        return self._records.append(before + name.encode("utf-8", "surrogatepass"))

    def before(self, number: int) -> bytes:
        """What was given to stand before a name."""
        return self._records[number][: self._before]

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[str]:
        return (record[self._before :].decode("utf-8", "surrogatepass") for record in self._records)

    def item(self, number: int) -> str:
        return self._records[number][self._before :].decode("utf-8", "surrogatepass")

    def part(self, numbers: range) -> Made[str]:
        return Made(numbers, self.item)
