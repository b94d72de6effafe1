"""What to paste into a paper: a paragraph with every number filled in, and one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from aifgraph.comparison.calculations.explicit import EXPLICIT_RELATIONS
from aifgraph.comparison.cass import SCORE_LAYERS, Fused, ScoreLayer
from aifgraph.comparison.comparison import Comparison
from aifgraph.comparison.options import Options, signature_without
from aifgraph.corpus.corpus import Corpus
from aifgraph.evaluation.corpus_result import CorpusComparison
from aifgraph.evaluation.intervals import Intervals
from aifgraph.evaluation.perturbation import NoiseFloor, NoisePoint, noise_floor
from aifgraph.evaluation.pooled import Counted, PooledNumber
from aifgraph.evaluation.run import corpora_of
from aifgraph.printable import printable, quantity
from aifgraph.tables import Cell, PaperStyle, Table, as_latex, as_markdown, as_text, checked_style, latex, shown
from aifgraph.version import __version__

_LAYERS: Final[Mapping[ScoreLayer, str]] = {
    "all": "whole",
    "propositional": "propositional layer",
    "dialogical": "dialogical layer",
}
_COLUMNS: Final = ("", "texts", "pairs", "CASS-κ", "CASS-F1", "M-κ", "M-F1", "S")
_ER: Final = EXPLICIT_RELATIONS.name
_EXPLICIT: Final = "among what was said (κ, F1 for M)"


@dataclass(frozen=True, slots=True)
class Paper:
    """The ``paragraph``, a sentence an entry, the ``table``, and the ``signature`` of the numbers."""

    paragraph: tuple[str, ...]
    table: Table
    signature: str

    def written(self, style: PaperStyle = "text") -> str:
        """All of it as text, LaTeX (needs booktabs) or markdown.

        Raises:
            OptionError: another style.
        """
        prose = " ".join(self.paragraph)
        if style == "latex":
            # A long word that LaTeX could not break.
            signature = latex(self.signature).replace("|", r"\textbar\allowbreak{}")
            return printable(f"{latex(prose)} Signature: {{\\small\\texttt{{{signature}}}}}.\n\n{as_latex(self.table)}")
        if style == "markdown":
            return printable(f"{prose} Signature: `{self.signature}`.\n\n{as_markdown(self.table)}")
        return printable(f"{prose} Signature: {self.signature}.\n\n{as_text(self.table)}")


def written_paper(result: Comparison | CorpusComparison, style: PaperStyle = "text") -> str:
    """What to paste of a result, with the noise floor: a fifth of units, relations and illocutions changed.

    Raises:
        InputError: it is a stored result, or no pair could be compared.
        OptionError: another style.
    """
    checked_style(style)
    if isinstance(result, Comparison):
        graphs, _, folder = corpora_of([result.first], [result.second], in_order=True)
        paper = pair_paper(result, _noise(graphs, result.options))
        del folder  # the graphs are in it until here
        return paper.written(style)
    maps = result.first_maps
    intervals = result.with_intervals or result.intervals(seed=result.options.seed)
    return corpus_paper(result, intervals, _noise(maps, result.options)).written(style)


def _noise(maps: Corpus, options: Options) -> NoiseFloor:
    return noise_floor(maps, (0.2,), ("all",), seed=options.seed, options=options.changed(chance=None))


def corpus_paper(result: CorpusComparison, intervals: Intervals, noise: NoiseFloor) -> Paper:
    """Two corpora: macro CASS of the whole and of each layer with intervals over texts, and the noise floor.

    ``noise`` is of the maps of the first side; its first point is reported.
    """
    macro = result.macro

    def with_interval(what: Literal["mean", "cass", "S", "score"], of: str, score: str) -> str:
        interval = intervals["macro", PooledNumber(what, of, score)]
        return _with_ends(interval.value, interval.low, interval.high)

    def scores(layer: ScoreLayer) -> list[str]:
        return [
            *(with_interval("cass", layer, score) for score in ("kappa", "f1")),
            *(with_interval("mean", layer, score) for score in ("kappa", "f1")),
        ]

    counts: dict[str, Counted] = {layer: macro.counted[PooledNumber("mean", layer, "kappa")] for layer in SCORE_LAYERS}
    explicit: list[str] | None = None
    if macro.explicit and result.reconstructed:
        explicit = [with_interval("score", _ER, score) for score in ("kappa", "f1")]
        counts[_ER] = macro.counted[PooledNumber("score", _ER, "kappa")]
    rows, about_scores = _described(
        {layer: scores(layer) for layer in SCORE_LAYERS},
        with_interval("S", "all", ""),
        [layer for layer in SCORE_LAYERS if counts[layer].texts],
        explicit,
        counts,
    )
    percent = f"{intervals.level * 100:.4g} %"
    pairs = len(result.pairs)
    sentences = [
        f"We compared {quantity(pairs, 'pairs')} of analyses of {quantity(macro.texts, 'texts')} with CASS "
        f"(Duthie et al., 2016), as computed by aifgraph {__version__}.",
        *about_scores,
    ]
    sentences.append(
        f"Brackets hold {percent} intervals: {intervals.method} bootstrap over texts "
        f"({intervals.rounds} rounds, seed {intervals.seed})."
    )
    sentences += [f"{sentence[0].upper()}{sentence[1:]}." for sentence in intervals.remarks]
    sentences += _above_chance(result)
    sentences += _left_out(result)
    point = noise.points[0]
    sentences.append(_of_noise(point, "the first side's maps"))
    note = f"Macro scores with {percent} intervals over texts; of the noise floor, over draws."
    table = Table(
        f"Agreement over {quantity(pairs, 'pairs')} (CASS)",
        _COLUMNS,
        [*rows, _noise_row(point)],
        note=note,
        label="tab:cass",
    )
    return Paper(
        tuple(sentences), table, f"{signature_without(result.signature, 'ci')}|{intervals.signature}|{_how(noise)}"
    )


def pair_paper(result: Comparison, noise: NoiseFloor) -> Paper:
    """One pair: its scores, the noise floor of the first map (its first point), and what one pair cannot give."""
    explicit: list[str] | None = None
    if result.explicit and any(side.reconstructed for side in result.sides):
        explicit = [shown(result.explicit[score]) for score in ("kappa", "f1")]
    rows, about_scores = _described(
        {layer: _plain(over) for layer, over in result.over.items()},
        shown(result.segmentation.S),
        [layer for layer, over in result.over.items() if over.mean["kappa"] is not None],
        explicit,
    )
    sentences = [
        f"We compared two analyses of one text with CASS (Duthie et al., 2016), as computed by aifgraph {__version__}.",
        *about_scores,
    ]
    sentences.append(
        "This is one pair: there is no interval, because intervals are over texts, and it says nothing about how the "
        "annotators agree on other texts."
    )
    point = noise.points[0]
    sentences.append(_of_noise(point, "the first map"))
    note = "One pair, so without intervals over texts; the interval of the noise floor is over draws."
    table = Table("Agreement on one text (CASS)", _COLUMNS, [*rows, _noise_row(point)], note=note, label="tab:cass")
    return Paper(tuple(sentences), table, f"{result.signature}|{_how(noise)}")


def _described(
    scores: Mapping[ScoreLayer, list[str]],
    similarity: str,
    scored: Sequence[ScoreLayer],
    explicit: list[str] | None,
    counts: Mapping[str, Counted] | None = None,
) -> tuple[list[list[Cell]], list[str]]:
    """The rows of the table, and what is said of the scores: CASS and M of the whole and of the layers that are
    ``scored``, and the argument among what was said. ``counts`` says over how many texts and pairs each of a corpus
    is; without it they are of one pair."""

    def row(name: str, of: str, numbers: Sequence[str], last: str = "") -> list[Cell]:
        return [name, *(counts[of] if counts else (1, 1)), *numbers, last]

    rows = [
        row(name, layer, scores[layer], similarity if layer == "all" else "")
        for layer, name in _LAYERS.items()
        if layer in scored
    ]
    kappa, f1, mean_kappa, mean_f1 = scores["all"]
    sentences = [
        f"{'Macro ' if counts else ''}CASS-κ is {kappa} and CASS-F1 {f1}, with M-κ {mean_kappa}, M-F1 {mean_f1} and "
        f"segmentation similarity S {similarity}."
    ]
    for layer in ("propositional", "dialogical"):
        kappa, f1, *_ = scores[layer]
        if layer in scored:
            over = f" ({_counted(counts[layer])})" if counts else ""
            sentences.append(f"For the {_LAYERS[layer]} alone CASS-κ is {kappa} and CASS-F1 {f1}{over}.")
        elif counts:
            sentences.append(f"No pair can be scored in the {_LAYERS[layer]}.")
        else:
            sentences.append(f"The {_LAYERS[layer]} cannot be scored.")
        if layer == "propositional" and explicit:
            rows.append(row(_EXPLICIT, _ER, ("–", "–", *explicit)))
            over = f" ({_counted(counts[_ER])})" if counts else ""
            sentences.append(
                "For the argument among what was said, in which propositions that the analysts reconstructed are "
                f"passed through, κ is {explicit[0]} and F1 {explicit[1]}{over}."
            )
    return rows, sentences


def _counted(of: Counted) -> str:
    return f"{quantity(of.texts, 'texts')}, {quantity(of.pairs, 'pairs')}"


def _plain(scores: Fused) -> list[str]:
    return [shown(values[score]) for values in (scores.cass, scores.mean) for score in ("kappa", "f1")]


def _with_ends(value: float | None, low: float | None, high: float | None) -> str:
    """“0.330 [0.202, 0.451]”."""
    return shown(value) if low is None or high is None else f"{value:z.3f} [{low:z.3f}, {high:z.3f}]"


def _noise_scores(point: NoisePoint) -> list[str]:
    low, high = point.low["all"], point.high["all"]
    return [_with_ends(point.cass[score], low[score], high[score]) for score in ("kappa", "f1")]


def _noise_row(point: NoisePoint) -> list[Cell]:
    means = [shown(point.mean[score]) for score in ("kappa", "f1")]
    return [
        f"noise floor, {point.share * 100:.4g} % changed",
        point.maps,
        None,
        *_noise_scores(point),
        *means,
        shown(point.S),
    ]


def _of_noise(point: NoisePoint, of: str) -> str:
    kappa, f1 = _noise_scores(point)
    return (
        f"For comparison, copies of {of} in which {point.share * 100:.4g} % of the units, relations and illocutions "
        f"are changed at random score CASS-κ {kappa} and CASS-F1 {f1} (noise floor; mean and 95 % interval of "
        f"{quantity(point.draws, 'draws')})."
    )


def _how(noise: NoiseFloor) -> str:
    """How the noise floor was made: the end of its signature."""
    return noise.signature.rpartition("|")[2]


def _above_chance(result: CorpusComparison) -> list[str]:
    chance = result.macro.chance
    if chance is None:
        return []
    over = chance.over["all"]
    return [f"Above chance, CASS-κ is {shown(over.cass['kappa'])} and CASS-F1 {shown(over.cass['f1'])}."]


def _left_out(result: CorpusComparison) -> list[str]:
    alone = sum(map(len, result.unpaired))
    sentences = []
    if alone:
        fate = "counted as 0" if result.missing == "zero" else "left out"
        which = "maps" if result.one_corpus else "texts"
        verb = "is" if alone == 1 else "are"
        sentences.append(f"{quantity(alone, which)} without a partner {verb} {fate}.")
    if failed := len(result.failed):
        sentences.append(f"{quantity(failed, 'pairs')} could not be read.")
    return sentences
