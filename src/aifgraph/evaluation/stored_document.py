"""The comparison of two corpora, made again of its JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isclose
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, get_args

from aifgraph.comparison.cass import SCORE_LAYERS, ScoreLayer, Scores
from aifgraph.comparison.options import Mean, Options, signature_words
from aifgraph.comparison.stored_comparison import StoredComparison
from aifgraph.errors import AifgraphError, FormatError
from aifgraph.evaluation.intervals import Intervals
from aifgraph.evaluation.pooled import MacroScores, MicroScores, PairNames, PairSummary
from aifgraph.formats.result_files import checked_corpus
from aifgraph.graph import Notice
from aifgraph.stats.scores import SCORES
from aifgraph.text.segmentation import Edits

if TYPE_CHECKING:
    from aifgraph.formats.schemas.results import CorpusResult

AGAIN = "make it again: aifgraph compare … --format json"


class Pooled(Protocol):
    """What has the numbers of a whole corpus."""

    @property
    def macro(self) -> MacroScores: ...

    @property
    def micro(self) -> MicroScores: ...


C = TypeVar("C", bound=Pooled)


def corpus_from(document: Mapping[str, Any], make: Callable[..., C]) -> C:
    """The comparison in a document, made by its class. Raises ``FormatError`` where it is none, or damaged."""
    try:
        return _corpus_from(document, make)
    except AifgraphError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        # The model knows shapes; whether all belongs together is seen when the numbers are made.
        what = f"a damaged result ({type(error).__name__}: {error})"[:200]
        raise FormatError(what, remedy=AGAIN) from None


def _corpus_from(document: Mapping[str, Any], make: Callable[..., C]) -> C:
    model = checked_corpus(document)
    words = signature_words(model.signature)
    pairs = tuple(_summary(pair) for pair in document["pairs"])
    if not pairs and any(model.macro.pairs.mean["all"].values()):
        raise FormatError("a result without its pairs", remedy="make it with details=True")
    result = make(
        pairs,
        options_of(words),
        words.get("missing", "skip"),
        (tuple(model.unpaired.first), tuple(model.unpaired.second)),
        tuple((failure.name, failure.error) for failure in model.failed),
        tuple(Notice("stored", message) for message in model.warnings),
        tuple(document["pairs"]),
        stored_signature=model.signature,
        stored_intervals=Intervals.from_dict(model.intervals) if model.intervals else None,
    )
    _check_numbers(result, model)
    return result


def _summary(pair: Mapping[str, Any]) -> PairSummary:
    try:
        stored = StoredComparison.of(pair)
    except AifgraphError as error:
        raise error.at(f"pair {str(pair.get('name'))[:80]!r}") from None
    layers = stored.layers
    cuts = stored.segmentation
    return PairSummary(
        PairNames(*pair["names"]),
        cuts.S,
        Edits(weight=cuts.edits, potential=cuts.potential),
        {name: each.matrix for name, each in stored.calculations.items() if each.applicable},
        {"all": stored.mean, **{layer: scores.mean for layer, scores in layers.items()}},
        {"all": stored.cass, **{layer: scores.cass for layer, scores in layers.items()}},
        stored.warnings,
        stored.measures,
        stored.name_counts,
        "axis" in signature_words(stored.signature),
        stored.chance,
        cuts.mode or "",
        (stored.document.first.sha256, stored.document.second.sha256),
    )


def options_of(words: Mapping[str, str]) -> Options:
    """What the numbers of the whole depend on; the rest of the options stands in the signature."""
    mean: Mean = "layers" if words.get("mean") == "layers" else get_args(Mean)[0]
    rounds, _, seed = words.get("chance", "off").partition(".")
    if not rounds.isdecimal():
        return Options(mean=mean)
    return Options(mean=mean, chance=int(rounds), seed=int(seed or 0))


def _check_numbers(result: Pooled, model: CorpusResult) -> None:
    for name, made, stored in (("macro", result.macro, model.macro), ("micro", result.micro, model.micro)):
        by_layer: dict[ScoreLayer, Any] = {"all": stored.cass}
        by_layer |= {layer: stored.layers[layer] for layer in SCORE_LAYERS if layer in stored.layers}
        for layer, scores in by_layer.items():
            _check_equal(made.over[layer].cass, {score: getattr(scores, score) for score in SCORES}, f"{name}.{layer}")


def _check_equal(made: Scores, stored: Scores, where: str) -> None:
    for score, value in stored.items():
        other = made[score]
        if (value is None) != (other is None) or (value is not None and not isclose(value, other or 0, abs_tol=1e-9)):
            what = f"a damaged result: {where}.{score} is {value}, and by the pairs {other}"
            raise FormatError(what, remedy=AGAIN)
