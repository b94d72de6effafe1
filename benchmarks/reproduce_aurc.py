"""Recomputing AURC: figures of Kamp et al. 2022, and those of Trautmann et al. 2020 that they print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby, product
from random import Random

from figures import DATA, SEED, Figure, number, published, text_value

from aifgraph.datasets.aurc import Sentence
from aifgraph.tasks import aurc, aurc_corpus
from aifgraph.tasks.aurc import LABELS, MEASURES
from aifgraph.tasks.aurc_corpus import DOMAINS, label_at
from aifgraph.tasks.scores import class_scores, confusion, macro

ROBUSTNESS = DATA / "rob-token-aur"
RUNS = {
    ("token", "BERT-large"): ("predictions_test", "token"),
    ("token", "BERT-large+CRF"): ("crf_predictions_test", "crf_token"),
    ("sentence", "BERT-large"): ("predictions_test_sentence", "sentence"),
}
SPLITS = {"in-domain": "in", "cross-domain": "cr"}


def runs_of(name: str) -> list[aurc.Run]:
    """Return the five runs of a model."""
    return [aurc.read_run(ROBUSTNESS / "predictions" / name.format(seed)) for seed in range(1, 6)]


def test_runs(split: str, setup: str, model: str) -> list[aurc.Run]:
    """Return the runs on a test split, those of a sentence model with the gold tokens of the token model."""
    runs = runs_of(f"aurc_{split}_{RUNS[setup, model][0]}_00{{}}.json")
    if setup == "token":
        return runs
    gold = aurc.read_run(ROBUSTNESS / "predictions" / f"aurc_{split}_predictions_test_001.json")
    return [aurc.with_token_gold(gold, run) for run in runs]


def scores(table: str, ending: str = "") -> Iterator[Figure]:
    """Return token-, segment- and sentence-F1 on test, means and deviations of five runs."""
    for row, (setup, model) in product(published(table), RUNS):
        if row["source"] != "repr" or row["model"] != model:
            continue
        result = aurc.score(test_runs(SPLITS[row["setting"]], setup, model), seed=SEED)
        for measure in MEASURES:
            column = f"{measure}_f1_{setup}_setup{ending}"
            mean, deviation = (line[f"{measure}-F1"] for line in result.records("Scores")[-2:])
            if column not in row or mean is None:
                continue
            drawn = 0.003 if measure == "sentence" else 0.0
            name = f"{row['setting']}, {model}, {setup} setup"
            yield Figure(name, f"{measure}-F1", mean, row[column], within=drawn)
            yield Figure(name, f"{measure} deviation", deviation, row[f"{column}_sd"], within=drawn)


def ties() -> Iterator[Figure]:
    """Return the least and greatest sentence-F1 over draws of ties, where one draw does not give the printed figure."""
    for row in published("aurc-table-1"):
        if row["source"] != "repr" or row["model"] != "BERT-large+CRF":
            continue
        split = SPLITS[row["setting"]]
        runs = test_runs(split, "token", row["model"])
        drawn = [[sentence_f1(run, Random(f"{seed} {n}")) for n, run in enumerate(runs)] for seed in range(300)]
        means = [sum(values) / len(values) for values in drawn]
        for name, value in (("least", min(means)), ("greatest", max(means))):
            printed = row["sentence_f1_token_setup"]
            yield Figure(f"{row['setting']}, {row['model']}, token setup", name, value, printed, within=0.003)


def sentence_f1(run: aurc.Run, draw: Random) -> float:
    """Return sentence-F1 with each tie drawn for itself, as without a seed."""
    pairs = [
        tuple(
            draw.choice(("pro", "con"))
            if labels.count("pro") == labels.count("con") > 0
            else aurc.sentence_label(labels, "pro")
            for labels in (sentence.gold, sentence.predicted)
        )
        for sentence in run.sentences
    ]
    return macro(class_scores(confusion(pairs, LABELS)).f1) or 0.0


def rule() -> Iterator[Figure]:
    """Return how many original means lie within two deviations of the new ones."""
    found: list[tuple[str, str, bool]] = []
    rows = {(row["setting"], row["source"], row["model"]): row for row in published("aurc-table-1")}
    for (setting, source, model), row in rows.items():
        for column in (name for name in row if f"{name}_sd" in row and source == "repr"):
            old, new, deviation = (
                number(rows[setting, "orig", model][column]),
                number(row[column]),
                number(row[f"{column}_sd"]),
            )
            if old is not None and new is not None and deviation is not None:
                found.append((setting, column.rpartition("_f1_")[2].replace("_", " "), abs(old - new) <= 2 * deviation))
    for group in ("in-domain", "cross-domain", "token setup", "sentence setup"):
        within = [inside for setting, setup, inside in found if group in (setting, setup)]
        printed = text_value("aurc-text", f"test scores reproduced, {group}")
        yield Figure(group, "within two deviations", sum(within), printed.split()[0])
        yield Figure(group, "of", len(within), printed.split()[-1])


def perturbations() -> Iterator[Figure]:
    """Return accuracies before and after a perturbation, and their difference."""
    for row in published("aurc-table-2"):
        name = RUNS[row["setup"], row["model"]][1]
        stem = f"AURC_DATA_dict_per{row['test'][1]}_{{side}}.json___TEST___aurc_cr_{name}_00{{{{}}}}.pt.json"
        result = aurc.perturbation(*(runs_of(stem.format(side=side)) for side in ("before", "after")))
        for column in ("before", "after", "difference", "relative"):
            shown = "relative %" if column == "relative" else column
            mean, deviation = (line[shown] for line in result.records("Accuracies")[-2:])
            key = "difference_percent" if column == "relative" else column
            title = f"{row['test']}, {row['model']}, {row['setup']} setup"
            yield Figure(title, key.replace("_", ", "), mean, row[key], within=0.1 if "%" in row[key] else 0)
            if f"{key}_sd" in row:
                yield Figure(title, f"{column} deviation", deviation, row[f"{key}_sd"])


def sets() -> Iterator[Figure]:
    """Return the sizes of the perturbation sets."""
    for row in published("aurc-perturbations"):
        name = f"AURC_DATA_dict_per{row['test'][1]}_{row['dataset']}.json"
        sentences = aurc.read_topics(ROBUSTNESS / "perturbations" / name)
        yield Figure(f"{row['test']}, {row['dataset']}", "sentences", len(sentences), row["examples"])


def subpopulations() -> Iterator[Figure]:
    """Return T6 of table 3."""
    for row in published("aurc-table-3"):
        result = aurc.subpopulation(test_runs("cr", row["setup"], row["model"]), marks="left-out")
        mean = result.records("Correlations")[2]
        # The authors' enriched data are not published, so these differ, by this much:
        name = f"{row['model']}, {row['setup']} setup"
        yield Figure(name, "T6", mean["r"], row["t6_rpb"], within=0.007)
        yield Figure(name, "T6 deviation", mean["deviation"], row["t6_sd"], within=0.007)


def kind_of(sentence: Sentence) -> str:
    """Return ``all pro``, ``all con``, ``mixed`` or ``non``; gaps of at most two characters hold punctuation."""
    labels = [label_at(sentence.gold, place, place + 1) for place in range(sentence.length)]
    runs = [(label, len(list(run))) for label, run in groupby(labels)]
    found = {label for label, _ in runs if label != "non"}
    if not found:
        return "non"
    gaps = [length for label, length in runs if label == "non"]
    return f"all {found.pop()}" if len(found) == 1 and max(gaps, default=0) <= 2 else "mixed"


def counts() -> Iterator[Figure]:
    """Return the sentences by kind (section 3.1), and unitised alpha of the crowd."""
    corpus = aurc_corpus.read_folder(DATA / "aurc8")
    kinds = Counter(map(kind_of, corpus.sentences))
    arguments = kinds.total() - kinds["non"]
    named = {
        "topics": (len({sentence.topic for sentence in corpus.sentences}), "topics"),
        "sentences": (kinds.total(), "sentences"),
        # The paper exchanges the two words:
        "with argument": (arguments, "non-ARG sentences"),
        "without argument": (kinds["non"], "ARG sentences"),
        "all pro": (kinds["all pro"], "ARG sentences of one stance only, first"),
        "all con": (kinds["all con"], "ARG sentences of one stance only, second"),
        "mixed": (kinds["mixed"], "ARG sentences that mix"),
    }
    for name, (count, what) in named.items():
        yield Figure(name, "value", count, text_value("aurc-text", what), within=6)
    yield Figure(
        "unitised alpha of the crowd", "value", aurc_corpus.agreement(corpus).records("Agreement")[-1]["alpha"]
    )


def splits() -> Iterator[Figure]:
    """Return the sentences of each topic and split."""
    corpus = aurc_corpus.read_folder(DATA / "aurc8")
    topics = {sentence.id: sentence.topic for sentence in corpus.sentences}
    counts = Counter((d, topics[id_], s) for d, splits in corpus.splits.items() for id_, s in splits.items())
    for row in published("aurc-table-4"):
        for (short, domain), split in product(DOMAINS.items(), ("Train", "Dev", "Test")):
            column = f"{short}_{split.lower()}"
            # Duplicates were removed, which shows in the words only:
            yield Figure(
                row["topic"], column.replace("_", ": "), counts[domain, row["topic"], split], row[column], within=4
            )
