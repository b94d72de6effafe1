"""Argument graphs over AIF: load → align → compare → score → report.

The public names are imported when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from aifgraph.hooks import register
from aifgraph.version import __version__

if TYPE_CHECKING:
    from aifgraph.adjudication.merge import merge
    from aifgraph.adjudication.merge_corpora import merge_corpora
    from aifgraph.aifdb import AIFdb
    from aifgraph.comparison.compare import Comparison, compare
    from aifgraph.comparison.options import Options
    from aifgraph.corpus import Corpus, open_corpus, pair
    from aifgraph.corpus.conversion import convert
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
    from aifgraph.evaluation.baselines import baseline
    from aifgraph.evaluation.corpus_result import CorpusComparison
    from aifgraph.evaluation.leaderboard import evaluate
    from aifgraph.evaluation.perturbation import noise_floor, perturb
    from aifgraph.evaluation.run import compare_corpora
    from aifgraph.evaluation.significance import significance
    from aifgraph.evaluation.study import plan, sample
    from aifgraph.evaluation.training.data import training_data, write_training_data
    from aifgraph.evaluation.training.rows import RowOptions
    from aifgraph.formats import LossReport, dump, dumps, from_dict, load, loads, to_dict
    from aifgraph.formats.document_schemas import json_schema
    from aifgraph.graph import ArgumentGraph, GraphBuilder
    from aifgraph.graph.repair import Repairs, repair
    from aifgraph.graph.rules import Finding, Findings, validate
    from aifgraph.interop.rdf import from_rdf, to_rdf

#: Where each public name lives.
_HOMES: dict[str, tuple[str, ...]] = {
    "aifgraph.adjudication.merge": ("merge",),
    "aifgraph.adjudication.merge_corpora": ("merge_corpora",),
    "aifgraph.aifdb": ("AIFdb",),
    "aifgraph.corpus": ("Corpus", "open_corpus", "pair"),
    "aifgraph.corpus.conversion": ("convert",),
    "aifgraph.comparison.compare": ("Comparison", "compare"),
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
    "aifgraph.evaluation.baselines": ("baseline",),
    "aifgraph.evaluation.run": ("compare_corpora",),
    "aifgraph.evaluation.corpus_result": ("CorpusComparison",),
    "aifgraph.evaluation.leaderboard": ("evaluate",),
    "aifgraph.evaluation.perturbation": ("noise_floor", "perturb"),
    "aifgraph.evaluation.study": ("plan", "sample"),
    "aifgraph.evaluation.significance": ("significance",),
    "aifgraph.evaluation.training.data": ("training_data", "write_training_data"),
    "aifgraph.evaluation.training.rows": ("RowOptions",),
    "aifgraph.formats": ("LossReport", "dump", "dumps", "from_dict", "load", "loads", "to_dict"),
    "aifgraph.formats.document_schemas": ("json_schema",),
    "aifgraph.graph": ("ArgumentGraph", "GraphBuilder"),
    "aifgraph.graph.repair": ("Repairs", "repair"),
    "aifgraph.graph.rules": ("Finding", "Findings", "validate"),
    "aifgraph.interop.rdf": ("from_rdf", "to_rdf"),
    "aifgraph.comparison.options": ("Options",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AIFdb",
    "AifgraphError",
    "ArgumentGraph",
    "Comparison",
    "Corpus",
    "CorpusComparison",
    "Finding",
    "Findings",
    "FormatError",
    "GraphBuilder",
    "InputError",
    "LimitError",
    "LossReport",
    "MissingExtraError",
    "NotFoundError",
    "OptionError",
    "Options",
    "RemoteError",
    "Repairs",
    "RowOptions",
    "__version__",
    "agreement",
    "baseline",
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
    "noise_floor",
    "open_corpus",
    "pair",
    "perturb",
    "plan",
    "repair",
    "sample",
    "significance",
    "to_dict",
    "to_rdf",
    "training_data",
    "validate",
    "write_training_data",
]


# What graphs, results and ``load`` ask of the packages above them.
register(
    {
        "comparison_html": "aifgraph.report.display:comparison_html",
        "corpora_html": "aifgraph.report.display:corpora_html",
        "edges_frame": "aifgraph.interop.frames:edges_frame",
        "fetch_input": "aifgraph.aifdb.client:fetch_input",
        "from_networkx": "aifgraph.interop.networkx:from_networkx",
        "graph_html": "aifgraph.report.display:graph_html",
        "load_address": "aifgraph.aifdb.client:load_address",
        "moved_marks": "aifgraph.text.markup:moved_marks",
        "nodes_frame": "aifgraph.interop.frames:nodes_frame",
        "open_address": "aifgraph.aifdb.client:open_address",
        "plain_text": "aifgraph.text.markup:plain_text",
        "relations_frame": "aifgraph.interop.frames:relations_frame",
        "paper": "aifgraph.evaluation.paper:written_paper",
        "report_html": "aifgraph.report.html:report_html",
        "show_comparison": "aifgraph.report.display:show_comparison",
        "show_corpora": "aifgraph.report.display:show_corpora",
        "to_dict": "aifgraph.formats.io:to_dict",
        "to_networkx": "aifgraph.interop.networkx:to_networkx",
    }
)

#: Rooms with a surface of their own: ``aifgraph.datasets.iac1``, ``aifgraph.tasks.ruarg``, ``aifgraph.aifdb.AIFdb``.
_ROOMS = ("aifdb", "datasets", "errors", "tasks")


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"aifgraph.{name}")
    home = _HOME.get(name)
    if home is None:
        from aifgraph.guesses import meant

        answer = meant(name, __all__, "aifgraph")
        raise AttributeError(f"module 'aifgraph' has no attribute {name!r}{answer}", name=name)
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
