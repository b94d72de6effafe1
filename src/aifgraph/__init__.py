"""Argument graphs over AIF: load → align → compare → score → report.

The public names are imported when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from aifgraph.version import __version__

if TYPE_CHECKING:
    from aifgraph import aifdb as aifdb
    from aifgraph import datasets as datasets
    from aifgraph import errors as errors
    from aifgraph import report as report
    from aifgraph import tasks as tasks
    from aifgraph.adjudication.decisions import Decision
    from aifgraph.adjudication.merge import Merged, merge
    from aifgraph.adjudication.merge_corpora import MergedCorpora, merge_corpora
    from aifgraph.aifdb import AIFdb
    from aifgraph.aifdb.answers import CorpusInfo, SearchHit
    from aifgraph.align.alignment import Alignment
    from aifgraph.comparison.breakdown import Breakdown
    from aifgraph.comparison.cass import FusedLayers
    from aifgraph.comparison.compare import compare
    from aifgraph.comparison.comparison import Comparison
    from aifgraph.comparison.differences import Differences
    from aifgraph.comparison.options import OptionKeywords, Options
    from aifgraph.comparison.result import Matches, PairResult
    from aifgraph.comparison.scored_calculation import ScoredCalculation
    from aifgraph.comparison.sides import Side
    from aifgraph.corpus import Corpus, open_corpus, pair
    from aifgraph.corpus.conversion import convert
    from aifgraph.corpus.counts import CorpusStats
    from aifgraph.corpus.entries import Entry
    from aifgraph.corpus.pairing import Pairing
    from aifgraph.datasets import open_dataset
    from aifgraph.datasets.dataset import Dataset
    from aifgraph.errors import (
        AifgraphError,
        FormatError,
        InputError,
        LimitError,
        MissingExtraError,
        NotFoundError,
        OptionError,
        RemoteError,
    )
    from aifgraph.evaluation.agreement import agreement
    from aifgraph.evaluation.agreement_result import Agreement
    from aifgraph.evaluation.corpus_result import CorpusComparison
    from aifgraph.evaluation.corpus_tables import Distribution
    from aifgraph.evaluation.intervals import Intervals
    from aifgraph.evaluation.leaderboard import Leaderboard, evaluate
    from aifgraph.evaluation.pair_task import EachPair
    from aifgraph.evaluation.pooled import MacroScores
    from aifgraph.evaluation.run import compare_corpora
    from aifgraph.evaluation.significance import Significance
    from aifgraph.evaluation.workers import Workers
    from aifgraph.formats import LossReport, dump, dumps, from_dict, load, loads, to_dict
    from aifgraph.formats.document_schemas import json_schema
    from aifgraph.graph import (
        ArgumentGraph,
        Conflict,
        Edge,
        GraphBuilder,
        Illocution,
        Inference,
        Locution,
        LocutionRecord,
        Meta,
        Node,
        Notice,
        OtherNode,
        Participant,
        Preference,
        Proposition,
        Rephrase,
        Scheme,
        SchemeNode,
        SourceText,
        Span,
        Transition,
        UnreadEntry,
    )
    from aifgraph.graph.build import RelationFields
    from aifgraph.graph.repair import Repair, Repairs, repair
    from aifgraph.graph.rules import Finding, Findings, validate
    from aifgraph.graph.steps import Step
    from aifgraph.interop.rdf import from_rdf, to_rdf
    from aifgraph.stats.matrix import ConfusionMatrix
    from aifgraph.tables import Table
#: Where each public name lives.
_HOMES: dict[str, tuple[str, ...]] = {
    "aifgraph.adjudication.merge": ("merge",),
    "aifgraph.adjudication.merge_corpora": ("merge_corpora",),
    "aifgraph.aifdb": ("AIFdb",),
    "aifgraph.corpus": ("Corpus", "open_corpus", "pair"),
    "aifgraph.corpus.conversion": ("convert",),
    "aifgraph.datasets": ("open_dataset",),
    "aifgraph.comparison.compare": ("compare",),
    "aifgraph.comparison.comparison": ("Comparison",),
    "aifgraph.errors": (
        "AifgraphError",
        "FormatError",
        "InputError",
        "LimitError",
        "MissingExtraError",
        "NotFoundError",
        "OptionError",
        "RemoteError",
    ),
    "aifgraph.evaluation.agreement": ("agreement",),
    "aifgraph.evaluation.run": ("compare_corpora",),
    "aifgraph.evaluation.corpus_result": ("CorpusComparison",),
    "aifgraph.evaluation.leaderboard": ("evaluate",),
    "aifgraph.formats": ("LossReport", "dump", "dumps", "from_dict", "load", "loads", "to_dict"),
    "aifgraph.formats.document_schemas": ("json_schema",),
    "aifgraph.graph": ("ArgumentGraph", "GraphBuilder"),
    "aifgraph.graph.repair": ("Repairs", "repair"),
    "aifgraph.graph.rules": ("Finding", "Findings", "validate"),
    "aifgraph.interop.rdf": ("from_rdf", "to_rdf"),
    "aifgraph.comparison.options": ("Options",),
}
#: The classes that signatures name: what functions and methods give or take.
_NAMED: dict[str, tuple[str, ...]] = {
    "aifgraph.adjudication.decisions": ("Decision",),
    "aifgraph.adjudication.merge": ("Merged",),
    "aifgraph.adjudication.merge_corpora": ("MergedCorpora",),
    "aifgraph.aifdb.answers": (
        "CorpusInfo",
        "SearchHit",
    ),
    "aifgraph.align.alignment": ("Alignment",),
    "aifgraph.comparison.breakdown": ("Breakdown",),
    "aifgraph.comparison.cass": ("FusedLayers",),
    "aifgraph.comparison.differences": ("Differences",),
    "aifgraph.comparison.options": ("OptionKeywords",),
    "aifgraph.comparison.result": (
        "Matches",
        "PairResult",
    ),
    "aifgraph.comparison.scored_calculation": ("ScoredCalculation",),
    "aifgraph.comparison.sides": ("Side",),
    "aifgraph.corpus.counts": ("CorpusStats",),
    "aifgraph.corpus.entries": ("Entry",),
    "aifgraph.corpus.pairing": ("Pairing",),
    "aifgraph.datasets.dataset": ("Dataset",),
    "aifgraph.evaluation.agreement_result": ("Agreement",),
    "aifgraph.evaluation.corpus_tables": ("Distribution",),
    "aifgraph.evaluation.intervals": ("Intervals",),
    "aifgraph.evaluation.leaderboard": ("Leaderboard",),
    "aifgraph.evaluation.pair_task": ("EachPair",),
    "aifgraph.evaluation.pooled": ("MacroScores",),
    "aifgraph.evaluation.significance": ("Significance",),
    "aifgraph.evaluation.workers": ("Workers",),
    "aifgraph.graph": (
        "Conflict",
        "Edge",
        "Illocution",
        "Inference",
        "Locution",
        "LocutionRecord",
        "Meta",
        "Node",
        "Notice",
        "OtherNode",
        "Participant",
        "Preference",
        "Proposition",
        "Rephrase",
        "Scheme",
        "SchemeNode",
        "SourceText",
        "Span",
        "Transition",
        "UnreadEntry",
    ),
    "aifgraph.graph.build": ("RelationFields",),
    "aifgraph.graph.repair": ("Repair",),
    "aifgraph.graph.steps": ("Step",),
    "aifgraph.stats.matrix": ("ConfusionMatrix",),
    "aifgraph.tables": ("Table",),
}
_HOME = {name: home for homes in (_HOMES, _NAMED) for home, names in homes.items() for name in names}

__all__ = [
    "AIFdb",
    "Agreement",
    "AifgraphError",
    "Alignment",
    "ArgumentGraph",
    "Breakdown",
    "Comparison",
    "Conflict",
    "ConfusionMatrix",
    "Corpus",
    "CorpusComparison",
    "CorpusInfo",
    "CorpusStats",
    "Dataset",
    "Decision",
    "Differences",
    "Distribution",
    "EachPair",
    "Edge",
    "Entry",
    "Finding",
    "Findings",
    "FormatError",
    "FusedLayers",
    "GraphBuilder",
    "Illocution",
    "Inference",
    "InputError",
    "Intervals",
    "Leaderboard",
    "LimitError",
    "Locution",
    "LocutionRecord",
    "LossReport",
    "MacroScores",
    "Matches",
    "Merged",
    "MergedCorpora",
    "Meta",
    "MissingExtraError",
    "Node",
    "NotFoundError",
    "Notice",
    "OptionError",
    "OptionKeywords",
    "Options",
    "OtherNode",
    "PairResult",
    "Pairing",
    "Participant",
    "Preference",
    "Proposition",
    "RelationFields",
    "RemoteError",
    "Repair",
    "Repairs",
    "Rephrase",
    "Scheme",
    "SchemeNode",
    "ScoredCalculation",
    "SearchHit",
    "Side",
    "Significance",
    "SourceText",
    "Span",
    "Step",
    "Table",
    "Transition",
    "UnreadEntry",
    "Workers",
    "__version__",
    "agreement",
    "compare",
    "compare_corpora",
    "convert",
    "dump",
    "dumps",
    "evaluate",
    "from_dict",
    "from_rdf",
    "json_schema",
    "load",
    "loads",
    "merge",
    "merge_corpora",
    "open_corpus",
    "open_dataset",
    "pair",
    "repair",
    "to_dict",
    "to_rdf",
    "validate",
]


#: Packages with a surface of their own: ``aifgraph.datasets.iac1``, ``aifgraph.tasks.ruarg``, ``aifgraph.aifdb.AIFdb``.
_ROOMS = ("aifdb", "datasets", "errors", "interop", "report", "tasks")


if not TYPE_CHECKING:  # type checkers know which names there are

    def __getattr__(name: str) -> Any:
        if name in _ROOMS:
            return import_module(f"aifgraph.{name}")
        home = _HOME.get(name)
        if home is None:
            from aifgraph.guesses import answering_module

            return answering_module("aifgraph", _HOME, "aifgraph")(name)
        value = globals()[name] = getattr(import_module(home), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_ROOMS})
