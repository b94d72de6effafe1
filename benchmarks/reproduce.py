"""Published figures of the task papers, recomputed from ../shared/data: docs/reproduced.md.

``python benchmarks/reproduce.py`` recomputes them, writes the page, and fails where a figure that agreed no longer
does; ``--check`` leaves the page alone and fails, too, where it does not show what is recomputed.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from aifgraph.datasets.aurc import Sentence
from aifgraph.datasets.ruarg import CLAIMS, KINDS, LABELS, Subtask
from aifgraph.tables import Table, as_markdown
from aifgraph.tasks import arct, aurc, ruarg
from aifgraph.tasks.aurc.corpus import DOMAINS, label_at
from aifgraph.tasks.aurc.score import MEASURES

ROOT = Path(__file__).parent.parent
DATA = ROOT.parent / "shared" / "data"
PAGE = ROOT / "docs" / "reproduced.md"
PREDICTIONS = DATA / "rob-token-aur" / "predictions"
RESULTS = DATA / "semeval2018-task12" / "results"

SEED = 1
INTRODUCTION = """# Published and recomputed

Figures of the papers of the shared tasks, recomputed from the published data:

- `0.698 ✓` is equal to the published figure, rounded as that is;
- `0.713 (0.711)` differs from the published figure, which stands in brackets;
- a bare `0.500` has no counterpart, because the published figure was not at hand.

`make reproduce` writes this page, and fails if a figure that agreed no longer does. The data are not part of the
project; without `../shared/data` nothing is recomputed.
"""

CONCLUSION = """## What cannot be recomputed

| figures | why |
| --- | --- |
| AURC: T4 and T5 of table 3 | the texts of the training sentences and their similarities are not published |
| RuArg: F1_stance 0.6968 and F1_premise 0.7404 of the first system, tables 4 to 10 | no predictions are published |
| RuArg: counts of validation and test | their labels are not with the data |
| RuArg: Krippendorff's alpha 0.84 | the published files hold one label of each sentence |
"""


@dataclass(frozen=True)
class Figure:
    """A figure in a ``row`` and ``column`` of its table: as published (``None``: not known here), and recomputed.

    It is published to so many ``digits``. A difference up to ``within`` is explained on the page.
    """

    row: str
    column: str
    published: float | None
    recomputed: float | None
    digits: int = 3
    within: float = 0.0

    def _apart(self) -> float | None:
        if self.published is None or self.recomputed is None:
            return None
        return abs(round(self.recomputed, self.digits) - self.published)

    @property
    def lost(self) -> bool:
        """Whether it no longer agrees."""
        if self.published is None:
            return False
        apart = self._apart()
        return apart is None or apart > self.within + 1e-9

    def cell(self) -> str:
        """What the page shows: ``0.698 ✓``, ``0.713 (0.711)``, or ``0.500`` where the published figure is not known."""
        if self.recomputed is None:
            return "undefined"
        shown = f"{self.recomputed:.{self.digits}f}"
        apart = self._apart()
        if apart is None:
            return shown
        return f"{shown} ✓" if apart < 1e-9 else f"{shown} ({self.published:.{self.digits}f})"


@dataclass(frozen=True)
class Section:
    """A table of the page: its figures, what its rows are, and a remark."""

    figures: Callable[[], Iterable[Figure]]
    rows: str = "figure"
    remark: str = ""

    def page(self, figures: Sequence[Figure]) -> str:
        """The figures as a table, by their rows and columns; a cell without a figure is empty."""
        columns = list(dict.fromkeys(figure.column for figure in figures))
        cells = {(figure.row, figure.column): figure.cell() for figure in figures}
        rows = [
            (row, *(cells.get((row, column), "") for column in columns))
            for row in dict.fromkeys(figure.row for figure in figures)
        ]
        table = as_markdown(Table("", (self.rows, *columns), rows))
        return f"{table}\n{self.remark}\n" if self.remark else table


def _runs(model: str, split: str) -> list[aurc.Run]:
    runs = [aurc.read_run(PREDICTIONS / f"aurc_{split}_{model}_00{seed}.json") for seed in range(1, 6)]
    if not model.endswith("sentence"):
        return runs
    gold = aurc.read_run(PREDICTIONS / f"aurc_{split}_predictions_test_001.json")
    return [aurc.with_token_gold(gold, run) for run in runs]


MODELS = {
    "token": "predictions_test",
    "token with CRF": "crf_predictions_test",
    "sentence": "predictions_test_sentence",
}


def aurc_scores() -> Iterator[Figure]:
    """Kamp et al. 2022, table 5; token-F1, segment-F1, sentence-F1."""
    published: dict[tuple[str, str], tuple[float, float | None, float]] = {
        ("in", "token"): (0.698, 0.749, 0.708),
        ("in", "token with CRF"): (0.696, 0.743, 0.711),
        ("in", "sentence"): (0.614, None, 0.713),
        ("cr", "token"): (0.587, 0.603, 0.604),
        ("cr", "token with CRF"): (0.578, 0.593, 0.609),
        ("cr", "sentence"): (0.529, None, 0.566),
    }
    for (split, model), figures in published.items():
        result = aurc.score(_runs(MODELS[model], split), seed=SEED)
        for measure, value in zip(MEASURES, figures, strict=True):
            mean = result.mean(measure)
            drawn = measure == "sentence" and model != "sentence"
            row = f"{'in' if split == 'in' else 'cross'}-domain, {model} model"
            yield Figure(row, f"{measure}-F1", value, mean and mean[0], within=0.002 if drawn else 0.0)


def aurc_perturbations() -> Iterator[Figure]:
    """Kamp et al. 2022, table 2: accuracies before and after, and the relative difference in per cent."""
    known = {
        ("T1", "token"): (0.875, 0.832, None),
        ("T2", "sentence"): (None, None, 0.3),
        ("T3", "sentence"): (0.652, 0.576, None),
    }
    files = {"token": "token", "token with CRF": "crf_token", "sentence": "sentence"}
    for number in (1, 2, 3):
        for model, part in files.items():
            sides = [
                [
                    aurc.read_run(
                        PREDICTIONS / f"AURC_DATA_dict_per{number}_{side}.json___TEST___aurc_cr_{part}_00{seed}.pt.json"
                    )
                    for seed in range(1, 6)
                ]
                for side in ("before", "after")
            ]
            result = aurc.perturbation(*sides)
            values = known.get((f"T{number}", model), (None, None, None))
            for measure, value in zip(("before", "after", "relative"), values, strict=True):
                mean = result.mean(measure)
                column, digits = ("relative difference, %", 1) if measure == "relative" else (measure, 3)
                yield Figure(f"T{number}, {model} model", column, value, mean and mean[0], digits)


def aurc_subpopulations() -> Iterator[Figure]:
    """Kamp et al. 2022, table 3, T6."""
    for model, value in zip(MODELS, (0.028, 0.046, 0.042), strict=True):
        mean = aurc.subpopulation(_runs(MODELS[model], "cr"), marks="left-out").mean("T6")
        # The authors' enriched data is not published, so these differ, by this much:
        yield Figure("T6", f"{model} model", value, mean and mean[0], within=0.007)


def kind_of(sentence: Sentence) -> str:
    """Return ``all pro``, ``all con``, ``mixed`` or ``non``; two characters, as a full stop, may be outside."""
    labels = [label_at(sentence.gold, place, place + 1) for place in range(sentence.length)]
    segments = [label for label, _ in groupby(labels) if label != "non"]
    if not segments:
        return "non"
    return f"all {segments[0]}" if len(segments) == 1 and labels.count("non") <= 2 else "mixed"


def aurc_counts() -> Iterator[Figure]:
    """Trautmann et al. 2020 and Kamp et al. 2022, section 3.1: sentences by kind and by split; alpha of the crowd."""
    corpus = aurc.read_folder(DATA / "aurc8")
    kinds = Counter(map(kind_of, corpus.sentences))
    counts = {f"sentences, {kind}": kinds[kind] for kind in ("all pro", "all con", "mixed", "non")}
    counts["sentences, argument"] = kinds.total() - kinds["non"]
    counts["sentences"] = kinds.total()
    for name, domain in DOMAINS.items():
        splits = Counter(corpus.splits[domain].values())
        counts |= {f"sentences, {name}: {split}": splits[split] for split in ("Train", "Dev", "Test")}
    for row, count in counts.items():
        yield Figure(row, "value", None, count, 0)
    alpha = aurc.agreement(corpus).topics[-1].alpha.all.value
    yield Figure("unitised alpha of the crowd", "value", None, alpha)


def arct_figures() -> Iterator[Figure]:
    """Habernal et al. 2018: table 2 (accuracies), table 3 (p-values), figure 3."""
    gold = arct.read_answers(RESULTS / "gold" / "truth.txt")
    systems = arct.read_systems(sorted((RESULTS / "submissions").glob("*.txt")))
    for name, value in (("train", 1210), ("dev", 316), ("test", 444)):
        path = DATA / "semeval2018-task12" / "arct" / f"{name}-full.txt"
        yield Figure(f"instances, {name}", "value", value, len(arct.read_instances(path)), 0)
    with (RESULTS / "table3_pvalues_extracted_from_ods.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    names = {"Random baseline": "Random bsl."}
    ranked = {place.name: place for place in arct.ranking(gold, systems).places}
    for row in rows:
        published = next(cell for cell in reversed(row) if cell)
        place = ranked[names.get(row[0], row[0])]
        yield Figure(f"accuracy, {row[0]}", "value", float(published), place.accuracy, 4)
    result = arct.significance(gold, arct.without(systems, ["withdrawn"]), rounds=10_000, seed=SEED)
    pairs = []
    for row in rows:
        for column, cell in zip(head[1:], row[1:], strict=False):
            if cell and column != row[0]:
                pairs.append((float(cell), result.p(names.get(row[0], row[0]), names.get(column, column)) or 0.0))
    decided = sum((published < 0.05) == (p < 0.05) for published, p in pairs)
    yield Figure("p-values: decisions at .05 that are the paper's", "value", 231, decided, 0)
    largest = max(abs(a - b) for a, b in pairs)
    yield Figure("p-values: largest difference from the paper's", "value", 0.0, largest, 3, within=0.02)
    spread = arct.difficulty(gold, arct.without(systems, arct.STATUSES.values()))
    yield Figure("instances solved by no system", "value", 13, len(spread.solved_by(0)), 0)
    yield Figure("instances solved by all systems", "value", 32, len(spread.solved_by(spread.systems)), 0)


def ruarg_figures() -> Iterator[Figure]:
    """Kotelnikov et al. 2022: table 3 (counts)."""
    comments = ruarg.read(DATA / "ruarg2022" / "train_full.tsv").comments
    for claim in CLAIMS:
        counts = {kind: Counter(comment.labels[Subtask(claim, kind)] for comment in comments) for kind in KINDS}
        for kind in KINDS:
            for label, name in zip(LABELS[: ruarg.AVERAGED], ruarg.NAMES[kind], strict=False):
                yield Figure(f"{kind}: {name}", claim, None, counts[kind][label], 0)
        yield Figure("irrelevant", claim, None, counts["stance"]["-1"], 0)
        yield Figure("sentences", claim, None, len(comments), 0)


SECTIONS = {
    "AURC: table 5 of Kamp et al. 2022 (means of five runs)": Section(
        aurc_scores,
        "model",
        "Two figures of sentence-F1 differ because the authors drew ties of the sentence label without a seed.",
    ),
    "AURC: table 2 of Kamp et al. 2022 (perturbations)": Section(aurc_perturbations, "test"),
    "AURC: table 3 of Kamp et al. 2022 (subpopulations)": Section(
        aurc_subpopulations,
        "test",
        "The data that the authors enriched is not published; their rule for punctuation is followed.",
    ),
    "AURC: counts and agreement": Section(aurc_counts),
    "SemEval-2018 task 12: Habernal et al. 2018": Section(
        arct_figures, remark="p-values differ because each side draws its own 10 000 shuffles."
    ),
    "RuArg-2022: training file, in the form of table 3 of Kotelnikov et al. 2022": Section(ruarg_figures, "sentences"),
}


def main() -> int:
    """Recompute, and write or check the page; 1 if a figure or the page is no longer right."""
    if not DATA.is_dir():
        print(f"nothing is recomputed: there is no {DATA}")
        return 0
    parts, lost = [INTRODUCTION], []
    for title, section in SECTIONS.items():
        made = list(section.figures())
        parts.append(f"## {title}\n\n{section.page(made)}")
        known = [figure for figure in made if figure.published is not None]
        lost += [figure for figure in known if figure.lost]
        equal = sum(figure.cell().endswith("✓") for figure in known)
        print(f"{title}: {len(made)} figures, {len(known)} of them published, {equal} equal")
    parts.append(CONCLUSION)
    page = "\n".join(parts)
    for one in lost:
        print(f"no longer agrees: {one.row}, {one.column}: {one.cell()}", file=sys.stderr)
    if "--check" in sys.argv[1:]:
        stale = not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != page
        if stale:
            print(f"{PAGE.name} does not show what is recomputed: run `make reproduce`", file=sys.stderr)
        return int(bool(lost) or stale)
    PAGE.write_text(page, encoding="utf-8")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
