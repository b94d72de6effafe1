"""The comparison of two corpora, read back from its JSON or from a file of results."""

from __future__ import annotations

from collections.abc import Mapping
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from aifgraph.comparison.cass import SCORE_LAYERS, ScoreLayer, Scores
from aifgraph.comparison.options import Mean, Options, signature_words
from aifgraph.comparison.stored_comparison import StoredComparison
from aifgraph.errors import AifgraphError, FormatError
from aifgraph.evaluation.corpus_comparison import CorpusComparison
from aifgraph.evaluation.intervals import Intervals
from aifgraph.evaluation.pooled import PairNames, PairSummary
from aifgraph.evaluation.results import ResultLines
from aifgraph.formats.result_files import checked_corpus, is_corpus_result, is_lines, read_result
from aifgraph.graph import Notice
from aifgraph.stats.scores import SCORES
from aifgraph.text.segmentation import Edits

if TYPE_CHECKING:
    from aifgraph.formats.schemas.results import CorpusResult

_AGAIN = "make it again: aifgraph compare … --format json"


def corpus_from(document: Mapping[str, Any]) -> CorpusComparison:
    """The comparison in a document. Raises ``FormatError`` where it is no such result, or damaged."""
    try:
        return _corpus_from(document)
    except AifgraphError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        # The model knows shapes; whether all belongs together is seen when the numbers are made.
        what = f"a damaged result ({type(error).__name__}: {error})"[:200]
        raise FormatError(what, remedy=_AGAIN) from None


def _corpus_from(document: Mapping[str, Any]) -> CorpusComparison:
    model = checked_corpus(document)
    words = signature_words(model.signature)
    pairs = tuple(_summary(pair) for pair in document["pairs"])
    if not pairs and any(model.macro.pairs.mean["all"].values()):
        raise FormatError("a result without its pairs", remedy="make it with details=True")
    result = CorpusComparison(
        pairs,
        _options(words),
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


def corpus_from_lines(path: Path) -> CorpusComparison:
    """The comparison in a file of results (``--results``); maps without a partner are not in it.

    Raises:
        NoSuchFileError: there is no such file. FormatError: it is not a file of results.
    """
    from aifgraph.evaluation.results_line import check_line

    lines = ResultLines(path)
    signature = lines.header.get("signature")
    if not isinstance(signature, str):
        raise FormatError("a damaged file of results: it has no signature", where=str(path), remedy=_AGAIN)
    words = signature_words(signature)
    try:
        options = _options(words)
    except ValueError:
        raise FormatError("a damaged file of results: its signature", where=str(path), remedy=_AGAIN) from None
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if number > 1 and line.endswith(b"\n"):
                check_line(line, f"{path}, line {number}", _AGAIN)
    return CorpusComparison(lines, options, "skip", ((), ()), lines.failed, stored_signature=signature)


def read_stored(path: Path) -> StoredComparison | CorpusComparison:
    """The result in a file: of two maps or two corpora, as JSON, or the JSON lines of a run (``--results``).

    Raises:
        NoSuchFileError: there is no such file. FormatError: what is in it is no result, a damaged one, or of a later
            version.
    """
    if is_lines(path):
        return corpus_from_lines(path)
    document = read_result(path)
    try:
        return corpus_from(document) if is_corpus_result(document) else StoredComparison.of(document)
    except AifgraphError as error:
        raise error.at(str(path)) from None


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


def _options(words: Mapping[str, str]) -> Options:
    """What the numbers of the whole depend on; the rest of the options stands in the signature."""
    mean: Mean = "layers" if words.get("mean") == "layers" else get_args(Mean)[0]
    rounds, _, seed = words.get("chance", "off").partition(".")
    if not rounds.isdecimal():
        return Options(mean=mean)
    return Options(mean=mean, chance=int(rounds), seed=int(seed or 0))


def _check_numbers(result: CorpusComparison, model: CorpusResult) -> None:
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
            raise FormatError(what, remedy=_AGAIN)
