"""Published figures of five papers, recomputed from ../shared/data and fixtures: docs/reproduced.md.

``python benchmarks/reproduce.py`` recomputes them, writes the page, and fails where a figure that agreed no longer
does; ``--check`` leaves the page alone and fails, too, where it does not show what is recomputed. The printed figures
are read from ``benchmarks/published``.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

import reproduce_aurc
from figures import DATA, ROOT, SEED, Figure, fill, number, overview, page_table, published, save, text_value
from networkx import Graph, connected_components

from aifgraph import compare_corpora
from aifgraph.comparison.cass import fuse
from aifgraph.datasets.ruarg import CLAIMS, KINDS, LABELS, Subtask
from aifgraph.tasks import arct, ruarg
from aifgraph.tasks.scores import macro, ranks

PAGE = ROOT / "docs" / "reproduced.md"
ARCT = DATA / "semeval2018-task12"
RESULTS = ARCT / "results"

sys.path.insert(0, str(ROOT / "examples"))
from arct_negation import cross_table  # noqa: E402

# -- CASS (Duthie et al. 2016) -----------------------------------------------------------------------------------------


def cass_table() -> Iterator[Figure]:
    """Equation 2 on the example of section 7: table 1, and the same in figure 5."""
    m, s = (number(text_value("cass-text", what, "7")) or 0.0 for what in ("M", "S"))
    row = next(row for row in published("cass-table-1") if row["method"] == "CASS-κ")
    yield Figure("CASS-κ from M and S of section 7", "value", fuse(m, s), row["score"])


def cass_figure() -> Iterator[Figure]:
    """What follows from other figures of figure 5."""
    panels = {(row["panel"], row["measure"]): row["score"] for row in published("cass-figure-5")}
    m, s = (number(text_value("cass-text", what, "7")) for what in ("M", "S"))
    yield Figure("CASS, Kappa and S: from M and S of section 7", "value", fuse(m, s), panels["CASS", "Kappa and S"])
    relations = {measure: cell for (panel, measure), cell in panels.items() if panel.startswith("Prop")}
    precision, recall, specificity = (number(relations[name]) or 0.0 for name in ("Precision", "Recall", "Specificity"))
    made = {
        "F1": 2 * precision * recall / (precision + recall),
        "Sensitivity": recall,
        "Balanced Accuracy": (recall + specificity) / 2,
        "Informedness": recall + specificity - 1,
    }
    for name, value in made.items():
        yield Figure(f"relations, {name}: from precision, recall and specificity", "value", value, relations[name])
    kappas = [
        kappa_of(p, min(r, 1.0), sp)
        for p, r, sp in product(*((x - d, x + d) for x, d in ((precision, 0.05), (recall, 0.05), (specificity, 0.005))))
    ]
    for name, value in (("least", min(kappas)), ("greatest", max(kappas))):
        # The paper's figure does not follow from its others:
        yield Figure(f"relations, Kappa: from the same, {name}", "value", value, relations["Kappa"], within=0.3)


def kappa_of(precision: float, recall: float, specificity: float) -> float:
    """Return Cohen's kappa of a 2 × 2 table by its precision, recall and specificity."""
    true, false = recall, recall * (1 - precision) / precision
    negatives = false / (1 - specificity)
    total = 1 + negatives
    agreed = (true + negatives - false) / total
    chance = ((true + false) + negatives * (total - true - false)) / total**2
    return (agreed - chance) / (1 - chance)


def araucaria_pairs(folder: Path) -> Path:
    """Write the table of AraucariaDB's different analyses of one text, and return where it is."""
    rows = [row.split("\t") for row in (DATA / "araucaria" / "same_text_pairs.tsv").read_text("utf-8").splitlines()[1:]]
    couples = [(Path(first).stem, Path(second).stem) for first, second, relation in rows if relation == "different"]
    texts = {name: str(number) for number, part in enumerate(connected_components(Graph(couples))) for name in part}
    lines = [("first", "second", "text"), *((first, second, texts[first]) for first, second in couples)]
    pairs = folder / "pairs.tsv"
    pairs.write_text("".join("\t".join(line) + "\n" for line in lines), "utf-8")
    return pairs


def on_other_analyses(scores: Sequence[str], way: str = "", **options: object) -> Iterator[Figure]:
    """Compare two published corpora of double analyses; means over texts."""
    with TemporaryDirectory() as folder:
        dialogues, monologues = DATA / "dialam-2024" / "test", DATA / "araucaria"
        corpora = {
            "DialAM-2024 test: gold, system": (dialogues / "gold", dialogues / "system", "name"),
            "AraucariaDB: different analyses of one text": (monologues, monologues, araucaria_pairs(Path(folder))),
        }
        for name, (first, second, by) in corpora.items():
            result = compare_corpora(first, second, pair_by=by, mean="layers", **options).macro
            for score in scores:
                column = f"{score.replace('kappa', 'κ').replace('f1', 'F1')}{way}"
                yield Figure(name, column, result[score].value)


def cass_contrast() -> Iterator[Figure]:
    """The contrast of table 1 on other pairs."""
    plain = ("argument M-kappa", "argument M-f1")
    strict = {"granularity": "strict", "gate": False, "min_similarity": 1.0, "calculations": "PR"}
    yield from on_other_analyses(plain, ", equal texts", **strict)
    yield from on_other_analyses(("M-kappa", "S", "CASS-kappa", "CASS-f1"))


def cass_defaults() -> Iterator[Figure]:
    """What two defaults of aifgraph add to the paper's rules."""
    scores = ("CASS-kappa", "argument M-kappa")
    yield from on_other_analyses(scores, ", default")
    yield from on_other_analyses(scores, ", `min_overlap=0`", min_overlap=0.0)
    yield from on_other_analyses(scores, ", `relations=RA,CA`", relations=("RA", "CA"))


# -- SemEval-2018 task 12 (Habernal et al. 2018) -----------------------------------------------------------------------


def arct_systems() -> tuple[arct.Answers, list[arct.Answers]]:
    """Return the gold labels and the submissions."""
    return arct.read_answers(RESULTS / "gold" / "truth.txt"), arct.read_systems(RESULTS.glob("submissions/*.txt"))


def arct_accuracies() -> Iterator[Figure]:
    """Return rank and accuracy of each system."""
    gold, systems = arct_systems()
    accuracies = arct_accuracy_by_system(gold, systems)
    for row in published("arct-table-2-organisers"):
        yield Figure(row["system"], "accuracy", accuracies[arct_name(row["system"])], row["accuracy"])


def arct_accuracy_by_system(gold: arct.Answers, systems: list[arct.Answers]) -> dict[str, float]:
    """Return the accuracy of each system, the best first."""
    return {row["system"]: row["accuracy"] for row in arct.ranking(gold, systems).records("Ranking")}


def arct_name(printed: str) -> str:
    """Return what the metadata call a system."""
    return {"Random baseline": "Random bsl."}.get(printed, printed)


def arct_p_values() -> Iterator[Figure]:
    """Hold p-values against the organisers' table."""
    gold, systems = arct_systems()
    with (RESULTS / "table3_pvalues_extracted_from_ods.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    result = arct.significance(gold, arct.without(systems, ["withdrawn"]), rounds=10_000, seed=SEED)
    p = {frozenset((row["first"], row["second"])): row["p"] for row in result.records("Paired tests")}
    pairs = [
        (float(cell), p[frozenset((arct_name(row[0]), arct_name(column)))])
        for row in rows
        for column, cell in zip(head[1:], row[1:], strict=False)
        if cell and column != row[0]
    ]
    decided = sum((printed < 0.05) == (value < 0.05) for printed, value in pairs)
    yield Figure("decisions at .05 that are the organisers'", "value", decided, str(len(pairs)))
    yield Figure("largest difference", "value", max(abs(printed - value) for printed, value in pairs))
    accuracies = arct_accuracy_by_system(gold, systems)
    random = arct_name("Random baseline")
    tested = [
        name for name in {**accuracies} if name in result.tables()[1].columns and accuracies[name] > accuracies[random]
    ]
    better = sum(p[frozenset((random, name))] < 0.05 for name in tested)
    yield Figure(
        "systems better than the random baseline at .05", "value", better, text_value("arct-text", "systems signif")
    )


def arct_text() -> Iterator[Figure]:
    """Return counts of sections 2.4, 3 and 5, and negation."""
    gold, systems = arct_systems()
    sizes = {name: len(arct.read_instances(ARCT / "arct" / f"{name}-full.txt")) for name in ("train", "dev", "test")}
    for name, what in (("train", "training"), ("dev", "development"), ("test", "test")):
        yield Figure(f"instances, {name}", "value", sizes[name], text_value("arct-text", f"{what} instances", "2.4"))
    yield Figure("instances", "value", sum(sizes.values()), text_value("arct-text", "instances in the end"))
    best, *_ = arct_accuracy_by_system(gold, systems).values()
    yield Figure("best accuracy", "value", best, text_value("arct-text", "best accuracy"))
    yield Figure(
        "random draws on the test file: mean accuracy", "value", 0.5, text_value("arct-text", "theoretical accuracy")
    )
    yield Figure("the same: deviation", "value", sqrt(0.25 / sizes["test"]))
    spread = arct.difficulty(gold, arct.without(systems, [*arct.STATUSES.values(), "Joker"]))
    histogram = [row["instances"] for row in spread.records("Histogram")]
    for name, what, count in (
        ("solved by no system", "test instances solved by no", histogram[0]),
        ("solved by fewer than five systems", "test instances solved by fewer", sum(histogram[:5])),
        ("solved by all systems", "test instances solved by all", histogram[-1]),
    ):
        yield Figure(name, "value", count, text_value("arct-text", what), within=5)
    test = {instance.id: instance for instance in arct.read_instances(ARCT / "arct" / "test-full.txt")}
    solved = [(row["solved by"], test[row["id"]]) for row in spread.records("Solved by all or none")]
    easy, hard = ([instance for systems, instance in solved if systems == by] for by in ("all", "none"))
    easy_counts, hard_counts = cross_table(easy), cross_table(hard)
    yield Figure(
        "no system: the wrong warrant is negated, the correct one is not", "value", hard_counts[False, True], digits=0
    )
    yield Figure(
        "all systems: the correct warrant is negated",
        "value",
        easy_counts[True, True] + easy_counts[True, False],
        digits=0,
    )
    yield Figure("all systems: the wrong warrant is not negated either", "value", easy_counts[True, False], digits=0)


# -- RuArg-2022 (Kotelnikov et al. 2022) -------------------------------------------------------------------------------

RUARG_TABLES = {
    f"ruarg-table-{number}": subtask
    for number, subtask in zip(
        range(5, 11),
        (Subtask(claim, kind) for claim in ("masks", "vaccines", "quarantine") for kind in KINDS),
        strict=True,
    )
}
CLASSES = ("for", "other", "against")


def ruarg_codes() -> Iterator[Figure]:
    """Return the codes of labels."""
    for row in published("ruarg-table-1"):
        codes = {LABELS[ruarg.NAMES[kind].index(row[kind])] for kind in KINDS}
        yield Figure(row["stance"], "label", float(codes.pop()) if len(codes) == 1 else None, row["label"])


def ruarg_examples() -> Iterator[Figure]:
    """Count the training sentences with the labels of each example."""
    comments = ruarg.read(DATA / "ruarg2022" / "train_full.tsv").comments
    for row in published("ruarg-table-2"):
        labels = dict.fromkeys(ruarg.SUBTASKS, "-1")
        for kind in KINDS:
            labels[Subtask(row["topic"], kind)] = LABELS[ruarg.NAMES[kind].index(row[kind])]
        found = sum(comment.labels == labels for comment in comments)
        yield Figure(f"{row['topic']}: {row['stance']}, {row['premise']}", "training sentences", found, digits=0)


def ruarg_counts() -> Iterator[Figure]:
    """Return table 3: training from the data, the total of each row from its labels, all from the three splits."""
    comments = ruarg.read(DATA / "ruarg2022" / "train_full.tsv").comments
    rows = {(row["topic"], row["split"]): row for row in published("ruarg-table-3")}
    for claim in CLAIMS:
        counts = {kind: Counter(comment.labels[Subtask(claim, kind)] for comment in comments) for kind in KINDS}
        for column, cell in list(rows[claim, "train"].items())[2:]:
            kind, _, name = column.partition("_")
            label = (
                "-1"
                if column == "irrelevant"
                else LABELS[ruarg.NAMES[kind].index(name.replace("_", " "))]
                if name
                else ""
            )
            count = len(comments) if column == "total" else counts["stance" if column == "irrelevant" else kind][label]
            yield Figure(f"train: {column.replace('_', ': ', 1).replace('_', ' ')}", claim, count, cell)
        for split in ("val", "test"):
            for kind in KINDS:
                cells = [
                    cell for name, cell in rows[claim, split].items() if name.startswith(kind) or name == "irrelevant"
                ]
                yield Figure(
                    f"{split}: sum of {kind}",
                    claim,
                    sum(number(cell) or 0 for cell in cells),
                    rows[claim, split]["total"],
                )
        for column, cell in list(rows[claim, "all"].items())[2:]:
            total = sum(number(rows[claim, split][column]) or 0 for split in ("train", "val", "test"))
            yield Figure(f"all: {column.replace('_', ': ', 1).replace('_', ' ')}", claim, total, cell)


def ruarg_scores() -> Iterator[Figure]:
    """Return table 4 by equation 1 from the F1 of classes in tables 5 to 10."""
    f1: dict[tuple[str, str], list[float | None]] = {}
    for table, subtask in RUARG_TABLES.items():
        for row in published(table):
            mean = macro(number(row[f"{name}_f1"]) for name in CLASSES)
            f1.setdefault((row["method"].replace("urdth", "ursdth"), subtask.kind), []).append(mean)
    rows = published("ruarg-table-4")
    for kind in KINDS:
        places = ranks([number(row[f"{kind}_f1"]) for row in rows])
        for row, place in zip(rows, places, strict=True):
            yield Figure(row["participant"], f"place, {kind}", place, row[f"{kind}_place"])
            values = f1.get((row["participant"], kind), [])
            if len(values) == len(CLAIMS):
                yield Figure(row["participant"], f"F1_{kind}", macro(values), row[f"{kind}_f1"], within=0.0034)


def ruarg_classes(table: str) -> Iterator[Figure]:
    """Return F1 of each class from its precision and recall, and the means of three classes."""
    for row in published(table):
        for name in (*CLASSES, "irrelevant"):
            p, r = (number(row[f"{name}_{measure}"]) or 0.0 for measure in ("p", "r"))
            yield Figure(
                row["method"], f"{name} F1", 2 * p * r / (p + r) if p + r else 0.0, row[f"{name}_f1"], within=0.011
            )
        for measure in ("p", "r", "f1"):
            mean = macro(number(row[f"{name}_{measure}"]) for name in CLASSES)
            yield Figure(
                row["method"],
                f"macro {measure}",
                mean,
                row[f"macro_{measure}"],
                within=0.011 if (row["method"], table[-2:]) != ("camalibi", "10") else 0.1,
            )


def ruarg_opposed() -> Iterator[Figure]:
    """Return the sentences of opposite polarity (section 3.3)."""
    checked = ruarg.check(ruarg.read(DATA / "ruarg2022" / "train_full.tsv")).tables()[1]
    counts = Counter(row["claim"] for row in checked.records())
    for claim in CLAIMS:
        yield Figure(claim, "training sentences", counts[claim], digits=0)
    yield Figure(
        "all",
        "training sentences",
        counts.total(),
        text_value("ruarg-text", "sentences with stance and premise"),
        within=3,
    )


def ruarg_apart() -> Iterator[Figure]:
    """Return the figures of tables 5 to 10 that do not follow, and what they are means of."""
    for table in RUARG_TABLES:
        rows = {row["method"]: row for row in published(table)}
        for figure in ruarg_classes(table):
            if figure.within > 0.02 and not figure.equal:
                name = f"table {table.rpartition('-')[2]}, {figure.row}"
                measure = figure.column.removeprefix("macro ")
                cells = [number(rows[figure.row][f"{of}_{measure}"]) for of in (*CLASSES, "irrelevant")]
                yield Figure(name, figure.column, figure.recomputed, figure.printed, within=figure.within)
                yield Figure(f"{name}, over four classes", figure.column, macro(cells), figure.printed, within=0.006)


#: What is computed, by its mark on the page, and what the rows of its table are.
COMPUTED: dict[str, tuple[Callable[[], Iterable[Figure]], str]] = {
    "cass-table-1": (cass_table, "figure"),
    "cass-figure-5": (cass_figure, "figure"),
    "cass-contrast": (cass_contrast, "analyses"),
    "cass-defaults": (cass_defaults, "analyses"),
    "aurc-table-1": (partial(reproduce_aurc.scores, "aurc-table-1"), "model"),
    "aurc-rule": (reproduce_aurc.rule, "figures"),
    "aurc-ties": (reproduce_aurc.ties, "sentence-F1"),
    "aurc-table-2": (reproduce_aurc.perturbations, "test"),
    "aurc-perturbations": (reproduce_aurc.sets, "set"),
    "aurc-table-3": (reproduce_aurc.subpopulations, "model"),
    "aurc-table-4": (reproduce_aurc.splits, "topic"),
    "aurc-table-5": (partial(reproduce_aurc.scores, "aurc-table-5", "_test"), "model"),
    "aurc-text": (reproduce_aurc.counts, "figure"),
    "arct-table-2-organisers": (arct_accuracies, "system"),
    "arct-p-values": (arct_p_values, "figure"),
    "arct-text": (arct_text, "figure"),
    "ruarg-table-1": (ruarg_codes, "class"),
    "ruarg-table-2": (ruarg_examples, "labels of an example"),
    "ruarg-table-3": (ruarg_counts, "sentences"),
    "ruarg-table-4": (ruarg_scores, "system"),
    **{table: (partial(ruarg_classes, table), "system") for table in RUARG_TABLES},
    "ruarg-apart": (ruarg_apart, "table and system"),
    "ruarg-text": (ruarg_opposed, "stance and premise of opposite polarity"),
}


def main() -> int:
    """Recompute, and write or check the page; 1 if a figure or the page is no longer right."""
    if not DATA.is_dir():
        print(f"nothing is recomputed: there is no {DATA}")
        return 0
    made = {mark: list(compute()) for mark, (compute, _) in COMPUTED.items()}
    tables = {mark: page_table(figures, COMPUTED[mark][1]) for mark, figures in made.items()}
    lost = [figure for figures in made.values() for figure in figures if figure.lost]
    for figure in lost:
        print(f"no longer agrees: {figure.row}, {figure.column}: {figure.cell()}", file=sys.stderr)
    page = fill(PAGE.read_text("utf-8"), {"tables": overview(made), **tables})
    return int(not save(PAGE, page) or bool(lost))


if __name__ == "__main__":
    sys.exit(main())
