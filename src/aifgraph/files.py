"""Bytes in and out: bounded reading, atomic writing, and the one place where encodings are decided."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, Final
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from aifgraph.errors import AifgraphError, FormatError, InputError, LimitError, NoSuchFileError, OptionError

#: The largest single file that is read, in bytes; the largest maps of AIFdb are under 20 MB.
MAX_BYTES = 1 << 30

#: Suffixes of JSON lines, one map a line.
LINES: Final = (".jsonl", ".ndjson")
#: Suffixes of RDF in which a map is a named graph.
DATA_SETS: Final = (".trig", ".nq", ".jsonld")
#: The largest single map or text that is unpacked, in bytes.
MAX_MEMBER = 256 << 20
#: How many times larger than its packed form a file may become; JSON packs 5 to 40 times smaller.
MAX_RATIO = 200
#: Below this many bytes the ratio does not matter.
FREE = 1 << 20

#: The longest part of a name, in characters and in bytes, of which file systems take 255 with number and suffix.
_MAX_NAME = 120
_MAX_NAME_BYTES: Final = 220

#: How deeply XML may be nested; that of people is under 70 deep.
_MAX_DEPTH: Final = 200
_PIECE = 1 << 16
_DAY: Final = 86_400
#: So many links are followed to an open file, as the kernel follows them.
_MAX_LINKS: Final = 40
#: A file or folder that is not whole yet, and the process that writes it.
_PART: Final = re.compile(r"\..{1,40}\.([0-9]{1,9})-[0-9a-f]{12}\.part", re.DOTALL)
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
#: What XML 1.0 cannot hold, in no way of writing it.
_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Input:
    """The bytes of a document from outside, its name for messages, and its suffix, where one is known.

    ``sibling`` gives the bytes of the file of the same stem with another suffix (``".txt"``), or None.
    """

    name: str
    data: bytes
    suffix: str = ""
    sibling: Callable[[str], bytes | None] = field(default=lambda suffix: None, repr=False)


def input_from_path(path: str | Path) -> Input:
    """Read a file as an :class:`Input`, whose siblings are looked for in its folder."""
    name = str(path)
    return Input(name, read_bytes(name), suffix_of(name), partial(_sibling, name))


def _sibling(name: str, suffix: str) -> bytes | None:
    place = stem_of(name) + suffix
    # The link of a stranger may lead to any file; who links the map, too, wants it so.
    is_link = os.path.islink(place) and not os.path.islink(name)  # noqa: PTH114
    target = Path(place).resolve() if is_link else None
    if target and (target.name.startswith(".") or target.parent != Path(name).parent.resolve()):
        what = "a link that leads out of its folder, or to a hidden file"
        raise InputError(what, where=place, remedy="copy its target (cp -L)")
    return read_bytes(place) if os.path.isfile(place) else None  # noqa: PTH113  paths take half as long as a map


def stem_of(name: str) -> str:
    """Return the path of a file without its suffix."""
    return os.path.splitext(name)[0]  # noqa: PTH122  paths take half as long as a map


def suffix_of(name: str) -> str:
    """Return the suffix of a file in lower case."""
    return os.path.splitext(name)[1].lower()  # noqa: PTH122


def is_corpus(source: str | os.PathLike[str]) -> bool:
    """Return whether an input is a corpus: a folder, a zip archive, JSON lines, several maps as RDF, or AIFdb's.

    >>> is_corpus("maps.zip"), is_corpus("aifdb:US2016"), is_corpus("aifdb:17940"), is_corpus("map.json")
    (True, True, False, False)
    """
    name = str(source)
    if name.startswith("aifdb:"):
        return not name.removeprefix("aifdb:").removeprefix("nodeset").isdecimal()
    if suffix_of(name) in DATA_SETS and Path(name).is_file():
        from aifgraph.rdf.read import holds_maps

        return holds_maps(name)
    return name != "-" and (name.lower().endswith((".zip", *LINES)) or Path(name).is_dir())


def check_size(size: int, packed: int, where: str, limit: int = MAX_MEMBER, *, free: int = FREE) -> None:
    """Raise ``LimitError`` if ``size`` bytes are too many, or too many for ``packed`` bytes."""
    if size > limit:
        raise LimitError(f"larger than {limit >> 20} MiB when unpacked", where=where, remedy="give single maps")
    if size > free and size > MAX_RATIO * max(packed, 1):
        raise LimitError(f"unpacks to more than {MAX_RATIO} times its size", where=where, remedy="unpack it yourself")


def decode_strict(data: bytes, name: str) -> str:
    """Decode UTF-8, or UTF-16 with a byte order mark; anything else is a ``FormatError`` with the place."""
    encoding = "utf-16" if data[:2] in _UTF_16 else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        kind = "binary data" if b"\0" in data[:4096] else "text that is not UTF-8"
        raise FormatError(f"{kind} (byte {error.start})", where=name, remedy="give a text file in UTF-8") from None


def decode_source(data: bytes, name: str) -> tuple[str, str | None]:
    """Decode a source text: UTF-8, UTF-16 by its byte order mark, else Windows-1252, which the second value says."""
    try:
        return data.decode("utf-16" if data[:2] in _UTF_16 else "utf-8-sig"), None
    except UnicodeDecodeError:
        message = f"{name}: the source text is not UTF-8 and was read as Windows-1252"
        return data.decode("cp1252", errors="replace"), message


def read_bytes(path: Path | str) -> bytes:
    """Return the bytes of a file; ``InputError`` says why they cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123  a path takes as long as a small map
            return read_bounded(file, str(path))
    except IsADirectoryError:
        raise InputError("this is a folder, not a file", where=str(path), remedy="name a file in it") from None
    except (FileNotFoundError, NotADirectoryError):
        raise NoSuchFileError("no such file", where=str(path)) from None
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", where=str(path)) from None
    except ValueError:  # a NUL in the path
        raise NoSuchFileError("no such file", where=repr(str(path))) from None


def standard_input() -> Any:
    """Return standard input as bytes; an error where it is closed."""
    if sys.stdin is None:
        raise InputError("standard input is closed", where="<stdin>")
    return getattr(sys.stdin, "buffer", sys.stdin)


def read_bounded(file: Any, name: str) -> bytes:
    """Return the content of an open file (text or binary), at most ``MAX_BYTES``."""
    # A read makes room for all that it asks for: in pieces, each as long as what is there already.
    data = file.read(_PIECE)
    pieces, length = [data], len(data)
    while length <= MAX_BYTES and (piece := file.read(min(length, MAX_BYTES + 1 - length)) if length else data):
        pieces.append(piece)
        length += len(piece)
    data = data[:0].join(pieces)
    if isinstance(data, str):
        data = data.encode("utf-8", errors="surrogatepass")
    if len(data) > MAX_BYTES:
        raise LimitError(f"larger than {MAX_BYTES >> 20} MiB", where=name, remedy="split it into single maps")
    return bytes(data)


def write_atomic(path: Path, data: str | bytes, *, durable: bool = False) -> None:
    """Write a whole file or nothing; half surrogates, which UTF-8 cannot hold, become ``\\ud800``.

    A ``durable`` file is on the disk when the function returns.
    """
    content = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
    with new_file(path) as file:
        file.write(content)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    if durable:
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)  # where the new name is
        os.close(folder)


def unique_name(uses: Counter[str], *parts: str) -> str:
    """Return what a map may be called that was not given before, with a number where it needs one.

    It can be the path of a file: ``parts`` are the names of folders, and the map's own.

    >>> uses = Counter()
    >>> unique_name(uses, "../a b"), unique_name(uses, "../A b"), unique_name(uses, "ann", "")
    ('_a_b', '_A_b-2', 'ann/map')
    """
    stem = name = "/".join(map(_file_name, parts))
    while name.casefold() in uses:
        uses[stem.casefold()] += 1
        name = f"{stem}-{uses[stem.casefold()]}"
    uses[name.casefold()] = 1
    return name


def _file_name(part: str) -> str:
    name = re.sub(r"[^\w.=+-]+", "_", part).strip(".")[:_MAX_NAME]
    return name.encode()[:_MAX_NAME_BYTES].decode(errors="ignore") or "map"


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of ``path`` when all is written; after an error what was there is as before.

    A file that is replaced keeps its mode, and its owner where this user may give files away. A link stays a link: its
    target is written. A device or a pipe is written through, and what this process has open (``/dev/stdout``) is
    written where its descriptor stands.
    """
    with errors_at(path):
        old = _status_of(path)
        mode = old.st_mode if old else 0
        descriptor = _descriptor_of(path)
        if descriptor is not None or (mode and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)):
            opened = os.open(path, os.O_WRONLY) if descriptor is None else os.dup(descriptor)
            with os.fdopen(opened, "wb") as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        part = _part_beside(target)
        try:
            with part.open("xb") as file:
                if old:
                    with suppress(OSError, AttributeError):  # the file of somebody else; Windows has no owners
                        os.chown(part, old.st_uid, old.st_gid)
                    part.chmod(mode & 0o777)
                yield file
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Make a folder that is renamed to ``path``, which must not be there or be empty, when all is written."""
    with errors_at(path):
        if _status_of(path) and (path.is_file() or any(path.iterdir())):
            raise InputError("this folder exists and is not empty", where=str(path), remedy="name a new folder")
        part = _part_beside(path)
        try:
            part.mkdir()
            yield part
            part.replace(path)
        finally:
            shutil.rmtree(part, ignore_errors=True)


def _part_beside(target: Path) -> Path:
    """Return a hidden name beside a target for what is not whole yet."""
    remove_parts(target.parent)
    return target.with_name(f".{target.name[:40]}.{os.getpid()}-{token_hex(6)}.part")


@cache
def remove_parts(folder: Path) -> None:
    """Remove what killed processes left in a folder more than a day ago; once for each folder.

    What is younger may be written by a process of another machine or container, whose number says nothing here.
    """
    if os.name != "posix" or not folder.is_dir():
        return
    for path in folder.glob(".*.part"):
        process = _PART.fullmatch(path.name)
        try:
            if process is not None and path.lstat().st_mtime < time.time() - _DAY:
                os.kill(int(process[1]), 0)  # asks only whether it is there
        except ProcessLookupError:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        except OSError:  # the process of somebody else, or it is gone
            continue


def _descriptor_of(path: Path) -> int | None:
    """Return the descriptor of this process that a path names, through links if need be; None for all others."""
    name = str(path)
    for _ in range(_MAX_LINKS):
        folder, base = os.path.split(os.path.abspath(name))  # noqa: PTH100  leaves links where they are
        folder = os.path.realpath(folder)
        if base.isdecimal() and re.fullmatch(rf"/dev/fd|/proc/{os.getpid()}(/task/[0-9]+)?/fd", folder):
            return int(base)
        name = os.path.join(folder, base)  # noqa: PTH118
        if not os.path.islink(name):  # noqa: PTH114
            return None
        name = os.path.join(folder, os.readlink(name))  # noqa: PTH115, PTH118
    return None


def _status_of(path: Path) -> os.stat_result | None:
    """Return the status of a file or folder; None where there is none."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None
    except ValueError:  # a NUL, or half a surrogate
        raise InputError("not a valid path", where=ascii(str(path))) from None


@contextmanager
def errors_at(path: Path) -> Iterator[None]:
    """Make an error of writing one of the place."""
    try:
        yield
    except (AifgraphError, BrokenPipeError):  # some are an OSError too, but of what was to be written
        raise
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not path.parent.is_dir():
            raise InputError(f"there is no folder {path.parent}", where=str(path), remedy="make it first") from None
        raise InputError(error.strerror or "cannot be written", where=str(path)) from None


_REMEDY = "give AIF JSON, as AIFdb or OVA write it"


#: How large a whole number is taken: Python writes up to 4 300 digits.
_MAX_BITS: Final = 14_000


def plain_json(value: Any, no_numbers: list[str]) -> Any:
    """Return a copy of a value that JSON can hold; a number that it cannot hold is null, and is added to the list."""
    match value:
        case None | bool():
            return value
        case str():
            return str.__str__(value)
        case int() if value.bit_length() < _MAX_BITS:
            return int(value)
        case float():
            return float(value) if math.isfinite(value) else no_numbers.append(json.dumps(value))
        case list() | tuple():
            return [plain_json(part, no_numbers) for part in value]
        case Mapping() if all(isinstance(key, str | int) for key in value):
            names = [str.__str__(key) if isinstance(key, str) else str(key) for key in value]
            if len({*names}) == len(names):  # 1 and "1" would be one
                return dict(zip(names, (plain_json(part, no_numbers) for part in value.values()), strict=True))
    if hasattr(value, "item") and not getattr(value, "shape", None):  # a number of numpy
        return plain_json(value.item(), no_numbers)
    raise OptionError(f"a {type(value).__name__} is no JSON", remedy="give plain values")


def parse_json(
    text: str,
    name: str,
    *,
    make: Callable[[list[tuple[str, Any]]], Any] | None = None,
    no_numbers: list[str] | None = None,
) -> Any:
    """Return the JSON value in a text. What stands before the first ``{``, such as a server's warning, is skipped.

    ``make`` makes an object of its members, which may repeat a name; without it, an object is a dictionary.

    With ``no_numbers`` what JSON has no number for (``NaN``, ``Infinity``, ``1e999``) is null, and is added there.

    Raises ``FormatError`` with line and column, ``LimitError`` where it is nested too deeply.

    >>> parse_json('Warning: old server {"nodes": []}', "map.json")
    {'nodes': []}
    """
    start = text.lstrip("\ufeff \t\r\n")
    if not start:
        raise FormatError("empty" if name.startswith("<") else "an empty file", where=name, remedy=_REMEDY)
    constant = None if no_numbers is None else no_numbers.append

    def number(digits: str) -> float | None:
        value = float(digits)
        return value if math.isfinite(value) or constant is None else constant(digits)

    decoder = json.JSONDecoder(object_pairs_hook=make, parse_constant=constant, parse_float=number)
    try:
        try:
            return decoder.decode(start)
        except json.JSONDecodeError as error:
            failure = error
        if start[0] not in "{[" and "{" in start:
            with suppress(json.JSONDecodeError):
                return decoder.decode(start[start.find("{") :])
    except RecursionError:
        raise LimitError("JSON nested too deeply", where=name, remedy=_REMEDY) from None
    except ValueError as error:  # a number of thousands of digits
        raise LimitError(str(error).split(";")[0], where=name, remedy=_REMEDY) from None
    cut = " (the file seems to be cut off)" if failure.pos >= len(start.rstrip()) else ""
    where = f"{name}, {place_in(text, text.find(start) + failure.pos)}"
    raise FormatError(f"not JSON: {failure.msg}{cut}", where=where, remedy=_REMEDY)


def json_text(value: object, *, indent: int | None = 1) -> str:
    """Return a value as indented JSON, in ASCII if it has half surrogates, which no file can hold otherwise."""
    if indent is not None and not isinstance(indent, int):
        raise TypeError(f"indent is a whole number or None, not {indent!r}")
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if re.search("[\ud800-\udfff]", text):
        text = json.dumps(value, indent=indent)
    return text + "\n"


def parse_xml(data: bytes | str, name: str) -> Element:
    """Return the root element of a document.

    Raises ``LimitError`` for one that declares entities or attributes, or is nested deeper than 200.
    """
    from defusedxml import DefusedXmlException, DTDForbidden
    from defusedxml.ElementTree import DefusedXMLParser

    def refuse(*_: object) -> None:  # a default of an attribute counts for every element
        raise DTDForbidden("", None, None)

    if not data.strip():
        raise FormatError("an empty file", where=name, remedy="give an XML document")
    try:
        parser = DefusedXMLParser(target=TreeBuilder(), forbid_entities=True, forbid_external=True)
        parser.parser.AttlistDeclHandler = refuse
        parser.feed(data)
        root: Element = parser.close()
    except DefusedXmlException:
        remedy = "remove the declarations from the file"
        raise LimitError("declares entities or attributes, which are not accepted", where=name, remedy=remedy) from None
    except ParseError as error:
        line, column = error.position
        what = str(error).rsplit(":", 1)[0]
        raise FormatError(f"not XML: {what}", where=f"{name}, line {line}, column {column + 1}") from None
    except (LookupError, ValueError) as error:  # an encoding that there is not
        raise FormatError(f"not XML: {error}", where=name) from None
    level, depth = [root], 0
    while level := [part for above in level for part in above]:
        if (depth := depth + 1) > _MAX_DEPTH:
            raise LimitError(f"XML nested deeper than {_MAX_DEPTH}", where=name)
    return root


def xml_safe(text: str) -> str:
    """Return a text with U+FFFD for each character that XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)


def place_in(text: str, offset: int) -> str:
    """Return the line and the column of a character, for people.

    >>> place_in("one\\ntwo", 5)
    'line 2, column 2'
    """
    return f"line {text.count(chr(10), 0, offset) + 1}, column {offset - text.rfind(chr(10), 0, offset)}"
