"""Argument graphs over AIF: load → align → compare → score → report.

The public names are imported when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

from aifgraph.version import __version__

TYPE_CHECKING = False  # as type checkers understand; importing typing takes longer than all else here

if TYPE_CHECKING:
    from aifgraph import aifdb as aifdb
    from aifgraph import datasets as datasets
    from aifgraph import errors as errors
    from aifgraph import interop as interop
    from aifgraph import report as report
    from aifgraph import tasks as tasks
    from aifgraph.adjudication import Decision as Decision
    from aifgraph.adjudication import merge_corpora as merge_corpora
    from aifgraph.adjudication.merge import merge as merge
    from aifgraph.aifdb import AIFdb as AIFdb
    from aifgraph.comparison import compare as compare
    from aifgraph.comparison.differences import Differences as Differences
    from aifgraph.comparison.result import Comparison as Comparison
    from aifgraph.comparison.result import PairResult as PairResult
    from aifgraph.corpus import Corpus as Corpus
    from aifgraph.corpus import Pairing as Pairing
    from aifgraph.corpus import open_corpus as open_corpus
    from aifgraph.corpus import pair as pair
    from aifgraph.corpus import union as union
    from aifgraph.corpus import write_corpus as write_corpus
    from aifgraph.corpus.query import query as query
    from aifgraph.datasets import read_dataset as read_dataset
    from aifgraph.errors import AifgraphError as AifgraphError
    from aifgraph.errors import FormatError as FormatError
    from aifgraph.errors import InputError as InputError
    from aifgraph.errors import LimitError as LimitError
    from aifgraph.errors import MissingExtraError as MissingExtraError
    from aifgraph.errors import NotFoundError as NotFoundError
    from aifgraph.errors import OptionError as OptionError
    from aifgraph.errors import RemoteError as RemoteError
    from aifgraph.evaluation.agreement import Agreement as Agreement
    from aifgraph.evaluation.agreement import agreement as agreement
    from aifgraph.evaluation.evaluate import Evaluation as Evaluation
    from aifgraph.evaluation.evaluate import evaluate as evaluate
    from aifgraph.evaluation.result import CorpusComparison as CorpusComparison
    from aifgraph.evaluation.run import compare_corpora as compare_corpora
    from aifgraph.formats import dump as dump
    from aifgraph.formats import dumps as dumps
    from aifgraph.formats import from_dict as from_dict
    from aifgraph.formats import load as load
    from aifgraph.formats import loads as loads
    from aifgraph.formats import to_dict as to_dict
    from aifgraph.graph import ArgumentGraph as ArgumentGraph
    from aifgraph.graph import Conflict as Conflict
    from aifgraph.graph import Edge as Edge
    from aifgraph.graph import GraphBuilder as GraphBuilder
    from aifgraph.graph import Illocution as Illocution
    from aifgraph.graph import Inference as Inference
    from aifgraph.graph import Locution as Locution
    from aifgraph.graph import Node as Node
    from aifgraph.graph import OtherNode as OtherNode
    from aifgraph.graph import Participant as Participant
    from aifgraph.graph import Preference as Preference
    from aifgraph.graph import Proposition as Proposition
    from aifgraph.graph import Rephrase as Rephrase
    from aifgraph.graph import Scheme as Scheme
    from aifgraph.graph import SchemeNode as SchemeNode
    from aifgraph.graph import SourceText as SourceText
    from aifgraph.graph import Transition as Transition
    from aifgraph.graph.edit import repair as repair
    from aifgraph.graph.rules import validate as validate
    from aifgraph.options import Options as Options
    from aifgraph.rdf import from_rdf as from_rdf
    from aifgraph.rdf import to_rdf as to_rdf
    from aifgraph.report.pictures import draw as draw
    from aifgraph.stats.resampling import Bootstrap as Bootstrap
    from aifgraph.stats.scores import ConfusionMatrix as ConfusionMatrix

#: The public names by the modules that they are in.
_HOMES = {
    "aifgraph.adjudication": "Decision merge_corpora",
    "aifgraph.adjudication.merge": "merge",
    "aifgraph.aifdb": "AIFdb",
    "aifgraph.comparison": "compare",
    "aifgraph.comparison.differences": "Differences",
    "aifgraph.comparison.result": "Comparison PairResult",
    "aifgraph.corpus": "Corpus Pairing open_corpus pair union write_corpus",
    "aifgraph.corpus.query": "query",
    "aifgraph.datasets": "read_dataset",
    "aifgraph.errors": (
        "AifgraphError FormatError InputError LimitError MissingExtraError NotFoundError OptionError RemoteError"
    ),
    "aifgraph.evaluation.agreement": "Agreement agreement",
    "aifgraph.evaluation.evaluate": "Evaluation evaluate",
    "aifgraph.evaluation.result": "CorpusComparison",
    "aifgraph.evaluation.run": "compare_corpora",
    "aifgraph.formats": "dump dumps from_dict load loads to_dict",
    "aifgraph.graph": (
        "ArgumentGraph Conflict Edge GraphBuilder Illocution Inference Locution Node "
        "OtherNode Participant Preference Proposition Rephrase Scheme SchemeNode SourceText "
        "Transition"
    ),
    "aifgraph.graph.edit": "repair",
    "aifgraph.graph.rules": "validate",
    "aifgraph.options": "Options",
    "aifgraph.rdf": "from_rdf to_rdf",
    "aifgraph.report.pictures": "draw",
    "aifgraph.stats.scores": "ConfusionMatrix",
    "aifgraph.stats.resampling": "Bootstrap",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}
#: Packages that are public as they are: ``aifgraph.datasets.iac1``, ``aifgraph.tasks.ruarg``.
_PACKAGES = ("aifdb", "datasets", "errors", "interop", "report", "tasks")

__all__ = ["__version__", *_HOME]


if not TYPE_CHECKING:  # type checkers know which names there are

    def __getattr__(name: str) -> object:
        if name in _PACKAGES:
            return import_module(f"aifgraph.{name}")
        if name not in _HOME:
            raise AttributeError(f"module 'aifgraph' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_PACKAGES})
