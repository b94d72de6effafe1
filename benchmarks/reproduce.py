"""Published figures of the task papers, recomputed from ../shared/data: docs/reproduced.md.

``python benchmarks/reproduce.py`` recomputes them, writes the page, and fails where a figure that agreed no longer
does; ``--check`` leaves the page alone and fails, too, where it does not show what is recomputed.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aifgraph.tables import Table, as_markdown
from aifgraph.tasks import arct, aurc, ruarg

ROOT = Path(__file__).parent.parent
DATA = ROOT.parent / "shared" / "data"
PAGE = ROOT / "docs" / "reproduced.md"
PREDICTIONS = DATA / "rob-token-aur" / "predictions"
RESULTS = DATA / "semeval2018-task12" / "results"

SEED = 1
NOT_AT_HAND = "published value not at hand"
DRAWN = "ties of the sentence label were drawn without a seed"

INTRODUCTION = """# Published and recomputed

Figures of the papers of the shared tasks, recomputed from the published data. `make reproduce` writes this page, and
fails where a figure that agreed no longer does; CI fails, too, where the page does not show what is recomputed.

- *agrees*: equal when rounded as published; *near*: not equal, for the reason given, by no more than that explains.
- *not at hand*: the published figure was not known when this was written; the recomputed one stands for itself.
- *cannot be had*: the published data does not give the figure, for the reason given.

The data is not part of the project; without `../shared/data` nothing is recomputed.
"""


@dataclass(frozen=True)
class Figure:
    """A figure as published (``None``: not known here) and recomputed (``None``: cannot be), to so many ``digits``.

    ``note`` says why it does not agree, or cannot be had. A difference up to ``within`` is agreement.
    """

    name: str
    published: float | None
    recomputed: float | None
    digits: int = 3
    note: str = ""
    within: float = 0.0

    @property
    def agrees(self) -> bool:
        """Whether it is the published figure, rounded as that is, or as near as ``within`` allows."""
        if self.published is None or self.recomputed is None:
            return False
        apart = abs(round(self.recomputed, self.digits) - self.published)
        return apart <= self.within + 1e-9

    def row(self) -> tuple[str, str, str, str, str]:
        """The figure's line of the page; each cell says something."""
        known, had = self.published is not None, self.recomputed is not None
        published = f"{self.published:.{self.digits}f}" if known else "not at hand"
        recomputed = f"{self.recomputed:.{self.digits}f}" if had else "cannot be had"
        if self.published is None or self.recomputed is None:
            return self.name, published, recomputed, "none", self.note or NOT_AT_HAND
        difference = f"{round(self.recomputed, self.digits) - self.published:+.{self.digits}f}"
        equal = abs(round(self.recomputed, self.digits) - self.published) < 1e-9
        said = "agrees" if equal else "near" if self.agrees else "differs"
        return self.name, published, recomputed, difference, f"{said}: {self.note}" if self.note and not equal else said


def _runs(model: str, split: str) -> list[aurc.Run]:
    runs = [aurc.read_run(PREDICTIONS / f"aurc_{split}_{model}_00{seed}.json") for seed in range(1, 6)]
    if not model.endswith("sentence"):
        return runs
    gold = aurc.read_run(PREDICTIONS / f"aurc_{split}_predictions_test_001.json")
    return [aurc.with_token_gold(run, gold) for run in runs]


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
        for measure, value in zip(("token", "segment", "sentence"), figures, strict=True):
            mean = result.mean(f"{measure}_f1")
            drawn = measure == "sentence" and model != "sentence"
            name = f"{measure}-F1, {'in' if split == 'in' else 'cross'}-domain, {model} model"
            yield Figure(name, value, mean and mean[0], note=DRAWN if drawn else "", within=0.002 if drawn else 0.0)


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
                unit, digits = (" difference, %", 1) if measure == "relative" else ("", 3)
                yield Figure(f"T{number}, {model} model, {measure}{unit}", value, mean and mean[0], digits)


def aurc_subpopulations() -> Iterator[Figure]:
    """Kamp et al. 2022, table 3: T4 and T5 need texts and similarities, T6 the authors' enriched data."""
    for test in ("T4", "T5"):
        for model in MODELS:
            note = f"{NOT_AT_HAND}; the texts of the training sentences and their similarities are not published"
            yield Figure(f"{test}, {model} model", None, None, note=note)
    for model, value in zip(MODELS, (0.028, 0.046, 0.042), strict=True):
        mean = aurc.subpopulation(_runs(MODELS[model], "cr"), marks="left-out").mean("T6")
        note = "the data that the authors enriched is not published; their rule for punctuation is followed"
        yield Figure(f"T6, {model} model", value, mean and mean[0], note=note)


def aurc_counts() -> Iterator[Figure]:
    """Trautmann et al. 2020 and Kamp et al. 2022, section 3.1: sentences by kind and by split."""
    kinds, splits = aurc.stats(DATA / "aurc8").tables()
    for table in (kinds, splits):
        for name, value in zip(table.columns[1:], table.rows[-1][1:], strict=True):
            assert isinstance(value, int)
            yield Figure(f"sentences, {name}", None, value, 0)
    yield Figure("table 4", None, None, note=f"{NOT_AT_HAND}, nor what the table shows")
    yield Figure("agreement of the crowd (Trautmann et al.)", None, aurc_alpha(), note=f"{NOT_AT_HAND}; unitised alpha")


def aurc_alpha() -> float | None:
    """Unitised alpha of the five workers, over all topics."""
    return aurc.agreement(aurc.read_folder(DATA / "aurc8")).topics[-1].alpha.all.value


def arct_figures() -> Iterator[Figure]:
    """Habernal et al. 2018: table 2 (accuracies), table 3 (p-values), figure 3."""
    gold = arct.read_answers(RESULTS / "gold" / "truth.txt")
    systems = arct.read_systems(sorted((RESULTS / "submissions").glob("*.txt")))
    for name, value in (("train", 1210), ("dev", 316), ("test", 444)):
        path = DATA / "semeval2018-task12" / "arct" / f"{name}-full.txt"
        yield Figure(f"instances, {name}", value, len(arct.read_instances(path)), 0)
    with (RESULTS / "table3_pvalues_extracted_from_ods.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    names = {"Random baseline": "Random bsl."}
    ranked = {place.name: place for place in arct.ranking(gold, systems).places}
    for row in rows:
        published = next(cell for cell in reversed(row) if cell)
        place = ranked[names.get(row[0], row[0])]
        yield Figure(f"accuracy, {row[0]}", float(published), place.accuracy, 4)
    result = arct.significance(gold, arct.without(systems, ["withdrawn"]), rounds=10_000, seed=SEED)
    pairs = []
    for row in rows:
        for column, cell in zip(head[1:], row[1:], strict=False):
            if cell and column != row[0]:
                pairs.append((float(cell), result.of(names.get(row[0], row[0]), names.get(column, column)) or 0.0))
    decided = sum((published < 0.05) == (p < 0.05) for published, p in pairs)
    yield Figure("p-values, pairs with the same decision at .05", 231, decided, 0)
    note = "each side draws its own 10 000 shuffles"
    yield Figure(
        "p-values, largest difference (0: equal)", 0.0, max(abs(a - b) for a, b in pairs), 3, note, within=0.02
    )
    spread = arct.difficulty(gold, arct.without(systems, arct.STATUSES))
    yield Figure("solved by no system", 13, len(spread.solved_by_none), 0)
    yield Figure("solved by all systems", 32, len(spread.solved_by_all), 0)


def ruarg_figures() -> Iterator[Figure]:
    """Kotelnikov et al. 2022: table 3 (counts), tables 4 to 10 (systems)."""
    [table] = ruarg.stats([ruarg.read(DATA / "ruarg2022" / "train_full.tsv")]).tables()
    for row in table.rows:
        for column, count in zip(table.columns[2:], row[2:], strict=True):
            assert isinstance(count, int)
            yield Figure(f"train, {row[1]}, {column}", None, count, 0)
    for split in ("validation", "test"):
        yield Figure(f"counts of {split}", None, None, note=f"{NOT_AT_HAND}; its labels are not with the data")
    for name, value in (("F1_stance", 0.6968), ("F1_premise", 0.7404)):
        yield Figure(
            f"{name} of the first system", value, None, 4, "its predictions and the test labels are not with the data"
        )
    missing = "no system's predictions are published"
    yield Figure("tables 4 to 10, other figures", None, None, note=f"{NOT_AT_HAND}; {missing}")
    yield Figure("Krippendorff's alpha", 0.84, None, 2, "the published files hold one label of each sentence")


SECTIONS = {
    "AURC: table 5 of Kamp et al. 2022 (means of five runs)": aurc_scores,
    "AURC: table 2 of Kamp et al. 2022 (perturbations)": aurc_perturbations,
    "AURC: table 3 of Kamp et al. 2022 (subpopulations)": aurc_subpopulations,
    "AURC: counts and agreement": aurc_counts,
    "SemEval-2018 task 12: Habernal et al. 2018": arct_figures,
    "RuArg-2022: Kotelnikov et al. 2022": ruarg_figures,
}
COLUMNS = ("figure", "published", "recomputed", "difference", "remark")
MAY_DIFFER = ("T6, ",)
"""Figures that are known to differ, and why is said; every other one with a published value has to agree."""


def main() -> int:
    """Recompute, and write or check the page; 1 if a figure or the page is no longer right."""
    if not DATA.is_dir():
        print(f"nothing is recomputed: there is no {DATA}")
        return 0
    parts, lost = [INTRODUCTION], []
    for title, figures in SECTIONS.items():
        made = list(figures())
        parts.append(f"## {title}\n\n" + as_markdown(Table("", COLUMNS, [figure.row() for figure in made])))
        compared = [one for one in made if one.published is not None and one.recomputed is not None]
        lost += [one for one in compared if not one.agrees and not one.name.startswith(MAY_DIFFER)]
        print(f"{title}: {sum(one.agrees for one in compared)} of {len(compared)} agree, {len(made)} in all")
    page = "\n".join(parts)
    for one in lost:
        print(f"no longer agrees: {' | '.join(one.row())}", file=sys.stderr)
    if "--check" in sys.argv[1:]:
        stale = not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != page
        if stale:
            print(f"{PAGE.name} does not show what is recomputed: run `make reproduce`", file=sys.stderr)
        return int(bool(lost) or stale)
    PAGE.write_text(page, encoding="utf-8")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
