"""``aifgraph convert``: maps, corpora and data sets from one format into another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from aifgraph.cli.command import Command, argument, option
from aifgraph.cli.options import as_data_set, jobs_option, opened_corpus
from aifgraph.cli.output import Output
from aifgraph.cli.terminal import bar, note, say, warn
from aifgraph.errors import InputError, OptionError
from aifgraph.printable import quantity

if TYPE_CHECKING:
    from aifgraph.corpus.conversion_record import ConversionRecord
    from aifgraph.datasets import Dataset
    from aifgraph.graph import ArgumentGraph

#: Failures, and problems of a data set, that are listed; the others are counted.
_MAX_LISTED = 20


@dataclass(frozen=True, kw_only=True)
class Convert(Command):
    """Convert a map, a corpus or a data set.

    What the target cannot hold is counted on standard error.

    IN is a file, "-", a folder, an archive or JSON lines; OUT a file or "-", for a corpus a folder, .zip or .tar.gz
    (of AIF JSON without --to), or a .jsonl, .jsonl.gz, .nq or .trig file. Maps of a corpus that cannot be read are
    listed, the others are converted, and the exit code is 2.

    \b
    Examples:
      aifgraph convert map.json map.dot
      aifgraph convert micro_b001.xml - --to aif
      aifgraph convert corpus.zip out/ --to xaif
      aifgraph convert corpus.zip corpus.nq
      aifgraph convert pairs.csv map.json --from csv --option source_column=reason
      aifgraph convert map.json map.ttl --profile owl --base http://example.org/
      aifgraph convert --dataset iac1 iac-v1/ maps/ --threshold 0 --propositions-only
    """

    source: str = argument("IN")
    target: str = argument("OUT")
    from_: str | None = option(metavar="FORMAT", help="Format of IN, if it is not recognised.")
    to: str | None = option(metavar="FORMAT", help="Format of OUT, if its suffix does not say it.")
    profile: str | None = option(choices=("full", "owl", "aifdb"), help="RDF: the vocabulary (docs/rdf.md).")
    namespace: str | None = option(
        choices=("arg.tech", "arg.dundee"), help="RDF: AIF's address, AIFdb's or the ontology's.  [default: arg.tech]"
    )
    base: str | None = option(metavar="IRI", help="RDF: start of the IRIs of maps that have none of AIFdb's.")
    ids: str | None = option(
        choices=("countable", "own"), help="xAIF: own leaves ids as they are.  [default: countable]"
    )
    reading: tuple[str, ...] = option(
        None, "--option", many=True, metavar="NAME=VALUE", help="A single map: an option of IN's format."
    )
    jobs: int = jobs_option()
    dataset: str | None = option(
        choices=("datasets:DATASETS",),
        help="IN is this data set, in its own layout.",
    )
    threshold: float | None = option(type=float, metavar="T", help="iac1, iac2: agreement from T is RA, to -T CA.")
    propositions_only: bool = option(False, help="Data sets: only I-nodes and their relations.")
    strict: bool = option(False, help="Data sets: stop at the first damaged row.")
    settings: tuple[str, ...] = option(
        None, "--set", many=True, metavar="NAME=VALUE", help="Data sets: an option of this data set."
    )

    @property
    def of_one_map(self) -> bool:
        from aifgraph.corpus.conversion import holds_many, takes_many

        return self.source == "-" or not (holds_many(self.source) or takes_many(self.target))

    @property
    def of_many_maps(self) -> bool:
        return not self.of_one_map

    def run(self) -> Output:
        if self.dataset is not None:
            return self._dataset(self.dataset)
        try:
            return self._map() if self.of_one_map else self._corpus()
        except InputError as error:
            raise as_data_set(error, self.source) from None
        except OptionError as error:
            if self.to is not None:
                raise
            # What has no format may be a data set.
            as_input = InputError(error.what, where=error.where, remedy=error.remedy)
            raise as_data_set(as_input, self.source) from None

    @property
    def _writing(self) -> dict[str, Any]:
        """Options of writing."""
        chosen = (("profile", self.profile), ("namespace", self.namespace), ("base", self.base), ("ids", self.ids))
        return {name: value for name, value in chosen if value is not None}

    def _map(self) -> Output:
        from aifgraph.formats.io import dump, load

        graph = load(self.source, format=self.from_, **_reading(self.reading))
        warn(graph.notices)
        losses = dump(graph, self.target, format=self.to, **self._writing)
        if losses or losses.done:
            note(f"aifgraph: {losses}")
        return Output()

    def _corpus(self) -> Output:
        from aifgraph.corpus.conversion import convert_corpus
        from aifgraph.evaluation.workers import over_maps

        corpus = opened_corpus(self.source)
        with bar("converting") as progress:
            done = convert_corpus(
                corpus,
                self.target,
                from_format=self.from_,
                to_format=self.to,
                options=self._writing,
                progress=progress,
                run=over_maps(self.jobs),
            )
        if done.failed and not done.written:
            nothing = InputError("none of its maps could be converted", where=self.source)
            if (other := as_data_set(nothing, self.source)) is not nothing:
                raise other
        for _, error in done.failed[:_MAX_LISTED]:
            say(f"aifgraph: {error}")
        if len(done.failed) > _MAX_LISTED:
            say(f"aifgraph: {len(done.failed)} maps could not be converted in all")
        if done.failed and not done.written:
            raise nothing
        if done.notices:
            counts = ", ".join(f"{number} {code}" for code, number in done.notices.most_common())
            note(f"aifgraph: notices of reading: {counts}")
        note(f"aifgraph: {quantity(done.written, 'maps')} written; {done.losses}")
        return Output(code=2 if done.failed else 0)

    def _dataset(self, name: str) -> Output:
        from aifgraph.corpus.conversion_record import refuse_other
        from aifgraph.corpus.writer import write_maps
        from aifgraph.datasets import open_dataset

        options = _settings(name, self.settings)
        if self.threshold is not None:
            options["threshold"] = self.threshold
        dataset = open_dataset(
            name, self.source, strict=self.strict, propositions_only=self.propositions_only, **options
        )
        refuse_other(self.target, _source(dataset), "aif", dataset.name)
        with bar(f"converting {name}") as progress:
            maps = _counted(dataset, progress)
            written: dict[str, int] = {}

            def record(counts: Mapping[str, int]) -> ConversionRecord:
                written.update(counts)
                return _record(dataset, options, counts)

            write_maps(maps, self.target, record=record)
        _report(dataset, written)
        return Output()


def _reading(settings: tuple[str, ...]) -> dict[str, Any]:
    """Options of reading as they were given; the format checks their names and types."""
    from aifgraph.formats.registry import reading_options

    options: dict[str, Any] = {}
    for setting in _apart(settings, reading_options() if settings else ()):
        name, equals, value = setting.partition("=")
        if not equals or not name.isidentifier() or name in _OF_LOAD:
            remedy = _OF_LOAD.get(name, "give NAME=VALUE") if equals else "give NAME=VALUE"
            raise OptionError(f"--option {setting}"[:200], remedy=remedy.format(value[:100]))
        options[name] = int(value) if value.isdecimal() and len(value) < 10 else value
    return options


#: What ``load`` takes beside the options of a format.
_OF_LOAD: Final = {
    "source": "did you mean --option source_column={}?",
    "format": "did you mean --from {}?",
    "strict": "`aifgraph check` lists what is wrong in a map",
}


def _apart(settings: tuple[str, ...], names: Iterable[str]) -> Iterator[str]:
    """Settings one by one: several in one are taken apart where a name follows a comma."""
    following = re.compile(f",(?=(?:{'|'.join(map(re.escape, sorted(names)))})=)")
    return (part for each in settings for part in following.split(each))


def _settings(dataset: str, settings: tuple[str, ...]) -> dict[str, Any]:
    from aifgraph.datasets import options_of

    defaults = options_of(dataset)
    options: dict[str, Any] = {}
    for setting in _apart(settings, defaults):
        name, equals, value = setting.partition("=")
        name = name.replace("-", "_")
        if not equals:
            raise OptionError(f"--set {setting}"[:200], remedy="give NAME=VALUE")
        if name in defaults and (other := re.search(r",([\w-]+=.*)", value)):
            setting, name = other[1][:100], ""  # what would be a part of the value
        if name not in defaults or name in ("strict", "propositions_only"):
            own = sorted(set(defaults) - {"strict", "propositions_only", "threshold"})
            remedy = f"{dataset} has {', '.join(own)}" if own else f"{dataset} has none"
            raise OptionError(f"--set {setting}: there is no such option", remedy=remedy)
        if name in ("agree", "disagree", "threshold"):
            try:
                options[name] = float(value)
            except ValueError:
                raise OptionError(f"--set {setting}: {value!r} is no number", remedy="give a number") from None
        else:
            options[name] = value
    return options


def _counted(dataset: Dataset, progress: Callable[[int, int], None] | None) -> Iterator[ArgumentGraph]:
    for number, graph in enumerate(dataset, 1):
        yield graph
        if progress is not None and number % 20 == 0:
            progress(number, 0)


def _source(dataset: Dataset) -> str:
    return dataset.path.name or dataset.path.resolve().name


def _record(dataset: Dataset, options: Mapping[str, Any], written: Mapping[str, int]) -> ConversionRecord:
    """What is left beside the maps of a data set."""
    from aifgraph.corpus.conversion_record import ConversionRecord

    return ConversionRecord(
        source=_source(dataset),
        dataset=dataset.name,
        title=dataset.title,
        format="aif",
        options={
            **{name: str(value) for name, value in options.items()},
            **({"propositions_only": "true"} if dataset.propositions_only else {}),
        },
        counts_in={name: number for name, number in dataset.counts.items() if name != "maps"},
        counts_out=written,
        problems=dataset.problems.counts,
    )


def _report(dataset: Dataset, written: Mapping[str, int]) -> None:
    """What was wrong, what the files hold and what was written, on standard error."""
    listed = list(dataset.problems)[:_MAX_LISTED]
    warn(listed)
    if len(dataset.problems) > len(listed):
        counts = ", ".join(f"{number} {code}" for code, number in dataset.problems.counts.most_common())
        warn([f"{len(dataset.problems)} problems in all ({counts})"])
    by_kind: dict[str, list[str]] = {}
    for name, number in dataset.counts.items():
        what, colon, kind = name.partition(": ")
        if colon:
            by_kind.setdefault(what, []).append(f"{kind if kind[:1].isalpha() else repr(kind)} {number}")
        elif name.startswith("without ") and number == 1:
            note(f"aifgraph: {name}")
        elif name != "maps":
            note(f"aifgraph: {quantity(number, name)}")
    for what, kinds in by_kind.items():
        note(f"aifgraph: {what}: {', '.join(kinds)}")
    nodes = ", ".join(f"{name} {number}" for name, number in written.items() if name not in ("maps", "edges"))
    note(f"aifgraph: {quantity(written['maps'], 'maps')} written: {nodes}")
