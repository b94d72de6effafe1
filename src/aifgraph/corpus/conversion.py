"""From one format to another: a map, or every map of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Final

from aifgraph.corpus.corpus import Corpus, open_corpus
from aifgraph.corpus.entries import MapRun, NamedMap
from aifgraph.corpus.names import ARCHIVES, LINES, is_corpus
from aifgraph.errors import AifgraphError, InputError, OptionError
from aifgraph.formats.codec import Written
from aifgraph.formats.files import in_place, write_atomic
from aifgraph.formats.io import dump, load
from aifgraph.formats.losses import LossReport
from aifgraph.formats.options import checked
from aifgraph.formats.registry import RDF, writer


@dataclass
class Conversion:
    """What became of a corpus: what was written, what that lost, which maps failed, and why, and how often each notice
    of reading (by its code) was given."""

    written: int = 0
    losses: LossReport = field(default_factory=LossReport)
    failed: list[tuple[str, str]] = field(default_factory=list)
    notices: Counter[str] = field(default_factory=Counter)


def convert(
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    **options: Any,
) -> LossReport:
    """Convert a map, or a corpus, into another format.

    Args:
        source: a map, or a corpus: a folder, an archive, JSON lines.
        target: a file for a map; for a corpus a folder (then ``to_format`` is needed), or a file of many maps
            (``.jsonl``, ``.nq``, ``.trig``).
        from_format: the source's format; None recognises it by content.
        to_format: the target's format; None goes by the suffix.
        **options: those of the target format (RDF: ``profile``, ``base``).

    Returns:
        What the target format cannot hold, counted by kind; for a corpus summed over its maps.

    Raises:
        InputError: a map cannot be read. For a corpus the message names the first such map, after all others have been
            written.
        OptionError: the format cannot be told, or an option is not one of the format.
    """
    if not holds_many(source) and not to_folder(target):
        return dump(load(source, format=from_format), target, format=to_format, **options)
    done = convert_corpus(open_corpus(source), target, from_format=from_format, to_format=to_format, options=options)
    if done.failed:
        more = f" (and {len(done.failed) - 1} more)" if len(done.failed) > 1 else ""
        raise InputError(f"{done.failed[0][1]}{more}; the other {done.written} maps are written")
    return done.losses


def to_folder(target: str | PathLike[str]) -> bool:
    """Whether a target is a folder: one that is there, or one that is named with a slash at its end."""
    return str(target).endswith(("/", "\\")) or (str(target) != "-" and Path(target).is_dir())


def holds_many(source: str | PathLike[str]) -> bool:
    """Whether a source is converted as a corpus: JSON lines of a single map are converted as that map."""
    path = Path(source)
    if path.name.lower().endswith(LINES) and not path.is_dir():
        return path.is_file() and len(open_corpus(path)) != 1
    return is_corpus(source)


def convert_corpus(
    corpus: Corpus,
    target: str | PathLike[str],
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    options: Mapping[str, object] | None = None,
    progress: Callable[[int, int], None] | None = None,
    run: MapRun = map,
) -> Conversion:
    """Convert one map after the other, into a folder or a file of many maps (``.jsonl``, ``.nq``, ``.trig``); what
    fails is listed and skipped.

    Such a file appears whole when all is done. Names are those of the corpus, sub-folders included. ``run`` calls the
    converting for every map, as ``map`` does; the files are written here.
    """
    place = Path(target)
    lines_format = _format_of_many(place)
    lines = lines_format is not None
    if lines_format is not None and to_format not in (None, lines_format):
        raise OptionError(f"{place.name} holds no {to_format}", remedy="give a folder as the target")
    name = lines_format or to_format
    if name is None:
        raise OptionError("the format of the files in a folder is not known", remedy="name it (--to FORMAT)")
    if place.name.lower().endswith(ARCHIVES) and not place.is_dir():
        remedy = "give a folder or a .jsonl file, and pack that (aifgraph pack)"
        raise OptionError("maps are not converted into an archive", where=str(place), remedy=remedy)
    chosen = writer(name)
    within = {"corpus": corpus.name} if name in RDF else {}
    given = checked(chosen.write, {**within, **(options or {})}, f"writing {chosen.name}")
    if place.exists() and place.is_dir() == lines:
        what = "a folder where a file is to be written" if lines else "a file where a folder is needed"
        raise OptionError(what, where=str(place), remedy="name another target")
    done = Conversion()
    with in_place(place) if lines else nullcontext() as file:
        made = run(partial(_converted, from_format=from_format, to_format=name, options=given), corpus)
        for number, (entry, each) in enumerate(zip(corpus, made, strict=True), 1):
            try:
                if isinstance(each, AifgraphError):
                    raise each
                written, losses, notices = each
                if file is not None:
                    file.write(written.text.encode("utf-8"))
                else:
                    _write(place, entry.name, written, chosen.suffixes[0])
            except AifgraphError as error:
                done.failed.append((entry.source, str(error)))
                continue
            done.written += 1
            done.notices.update(notices)
            done.losses += losses
            if progress is not None:
                progress(number, len(corpus))
    return done


def _converted(
    entry: NamedMap, *, from_format: str | None, to_format: str, options: Mapping[str, Any]
) -> tuple[Written, LossReport, list[str]] | AifgraphError:
    """What is written of a map, what that loses, and the codes of the notices of reading it; or the error."""
    chosen = writer(to_format)
    write: Callable[..., Written] = chosen.write
    try:
        graph = entry.load(format=from_format).with_name(entry.name)
        written = write(graph, **options)
        return written.encodable(), chosen.losses(graph, written), [notice.code for notice in graph.notices]
    except AifgraphError as error:
        return error


def _format_of_many(target: Path) -> str | None:
    """The format of a file that holds a whole corpus, by its suffix; None for a folder or any other file."""
    if target.is_dir():
        return None
    name = target.name.lower()
    return next((each for each, suffixes in _OF_MANY.items() if name.endswith(suffixes)), None)


_OF_MANY: Final[dict[str, tuple[str, ...]]] = {"jsonl": LINES, "nquads": (".nq",), "trig": (".trig",)}


def _write(folder: Path, name: str, written: Written, suffix: str) -> None:
    """A map's files in a folder, in the sub-folders that its name has."""
    home = folder.joinpath(*name.split("/"))
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(error.strerror or "cannot be written", where=str(folder)) from None
    for ending, text in {**written.beside, suffix: written.text}.items():
        write_atomic(home.with_name(home.name + ending), text)
