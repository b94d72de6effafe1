"""Files of SemEval-2018 task 12 (Habernal et al. 2018): instances, answers, and who sent them in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aifgraph.errors import FormatError, InputError, NotFoundError
from aifgraph.tasks.tsv import read_sheet, read_text, some, write_sheet

TEXTS = ("warrant0", "warrant1", "reason", "claim")
LABEL = "correctLabelW0orW1"
FULL = ("#id", "warrant0", "warrant1", LABEL, "reason", "claim", "debateTitle", "debateInfo")


@dataclass(frozen=True, slots=True)
class Instance:
    """A reason, a claim and two warrants, of which ``label`` (0, 1, or ``None`` if unknown) is the right one."""

    id: str
    warrant0: str
    warrant1: str
    label: int | None
    reason: str
    claim: str
    title: str = ""
    info: str = ""


@dataclass(frozen=True, slots=True)
class Answers:
    """A system's label, 0 or 1, by instance id. ``status``: empty, ``withdrawn``, ``baseline`` or ``no response``."""

    name: str
    labels: dict[str, int]
    status: str = ""


def read_instances(path: str | Path, *, unique: bool = True) -> list[Instance]:
    """``*-full.txt`` or ``*-only-data.txt``; the latter has no labels.

    ``unique=False`` lets an id come twice, as in the training file with swapped warrants.

    Raises:
        InputError: the file is empty, or an id is repeated. FormatError: a column is missing, a label is not 0 or 1.
    """
    sheet = read_sheet(path, ("id", *TEXTS))
    instances, seen = [], set()
    for line, record in sheet.records():
        name = record["id"].strip()
        if not name or (unique and name in seen):
            what = f"the id {name} is repeated" if name else "the id is empty"
            raise InputError(what, where=f"{sheet.name}, line {line}")
        seen.add(name)
        label = _label(record[LABEL], name, f"{sheet.name}, line {line}") if LABEL in record else None
        title, info = record.get("debateTitle", ""), record.get("debateInfo", "")
        instances.append(
            Instance(
                name, record["warrant0"], record["warrant1"], label, record["reason"], record["claim"], title, info
            )
        )
    return instances


def write_instances(instances: Sequence[Instance]) -> str:
    """Instances as a ``*-full.txt`` file; all must have labels."""
    rows = ((i.id, i.warrant0, i.warrant1, i.label, i.reason, i.claim, i.title, i.info) for i in instances)
    return write_sheet(FULL, rows)


def read_answers(path: str | Path, name: str | None = None, status: str = "") -> Answers:
    """Gold labels or a system's: ``ID label`` a line, space or tab between; blank and ``#`` lines are ignored.

    A file of whole instances (``*-full.txt``) is taken too, for its labels. ``name`` is the file's stem otherwise.

    Raises:
        InputError: no answer is in it, or an id is repeated. FormatError: a line or label is not as it should be.
    """
    where, labels = str(path), dict[str, int]()
    text = read_text(path)
    named = name or Path(where).stem
    if text.split("\n", 1)[0].rstrip("\r").split("\t")[1:4] == list(FULL[1:4]):
        return Answers(named, {i.id: i.label for i in read_instances(path) if i.label is not None}, status)
    for number, line in enumerate(text.split("\n"), 1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        place = f"{where}, line {number}"
        if len(parts) != 2:
            raise FormatError(
                f"{line.strip()[:60]!r} is not an id and a label", where=place, remedy="write: ID 0 or ID 1"
            )
        if parts[0] in labels:
            raise InputError(f"the id {parts[0]} is repeated", where=place, remedy="give one answer for each instance")
        labels[parts[0]] = _label(parts[1], parts[0], place)
    if not labels:
        raise InputError("there is no answer in the file", where=where)
    return Answers(named, labels, status)


def _label(cell: str, identity: str, where: str) -> int:
    if cell.strip() not in ("0", "1"):
        raise FormatError(f"the label {cell.strip()!r} of {identity} is neither 0 nor 1", where=where)
    return int(cell)


def read_metadata(path: str | Path) -> dict[str, tuple[str, str]]:
    """``metadata-public.xml``: submission id → (name to show, status).

    Raises:
        FormatError: not XML, or it holds what no metadata needs (entities).
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root = fromstring(read_text(path).encode())
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise FormatError(f"not readable as XML ({error})", where=str(path)) from None
    found = {}
    for one in root.iter("participant"):
        flags = (("withdrawn", "withdrawn"), ("baseline", "baseline"), ("noResponse", "no response"))
        status = ", ".join(word for flag, word in flags if one.get(flag) == "true")
        name = one.get("shownName") or one.get("systemName") or one.get("username") or ""
        found[one.get("submissionID", "")] = (name, status)
    return found


def read_systems(paths: Sequence[str | Path], metadata: str | Path | None = None) -> list[Answers]:
    """Several systems' answers. Names come from ``metadata``, or from a ``metadata-public.xml`` beside a file.

    Raises:
        InputError: as :func:`read_answers`; two systems have one name.
    """
    known: dict[Path, dict[str, tuple[str, str]]] = {}
    systems = []
    for path in map(Path, paths):
        source = Path(metadata) if metadata else path.parent / "metadata-public.xml"
        if metadata and not source.is_file():
            raise NotFoundError("no such file", where=str(source))
        if source not in known:
            known[source] = read_metadata(source) if source.is_file() else {}
        name, status = known[source].get(path.stem, (path.stem, ""))
        systems.append(read_answers(path, name or path.stem, status))
    names = [system.name for system in systems]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"two systems are called {some(twice)}", remedy="rename one of the files")
    return systems


def right(gold: Answers, system: Answers) -> list[int]:
    """For each gold id, in order, 1 if the system has it right, else 0.

    Raises:
        InputError: the system has no answer for a gold id, or one for an id that is not in the gold file.
    """
    if missing := [identity for identity in gold.labels if identity not in system.labels]:
        raise InputError(f"no answer for the id {some(missing)}", where=system.name, remedy="answer every gold id once")
    if extra := [identity for identity in system.labels if identity not in gold.labels]:
        raise InputError(f"the id {some(extra)} is not in the gold file", where=system.name)
    return [int(system.labels[identity] == label) for identity, label in gold.labels.items()]
