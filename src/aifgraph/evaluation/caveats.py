"""Caveats printed with pooled numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from aifgraph.comparison.calculations import CALCULATIONS
from aifgraph.comparison.caveats import MIN_ITEMS, thin_calculations
from aifgraph.evaluation.macro import FIRM
from aifgraph.evaluation.pooled import PairedTest, Pooled
from aifgraph.evaluation.record import Outcome
from aifgraph.stats.resampling import COVERAGE

#: Fewer texts say little about others.
MIN_TEXTS = 20


def corpus_caveats(outcomes: Iterable[Outcome], macro: Pooled, *, micro: bool = True) -> list[str]:
    """Return the caveats of the numbers of many pairs; ``micro``: with those of sums over pairs."""
    pairs: Counter[str] = Counter()  # by text
    counts: Counter[str] = Counter()
    thin: Counter[str] = Counter()  # by calculation
    added = [0, 0]
    for outcome in outcomes:
        pair = outcome.result
        if pair is None or outcome.missing:
            counts["missing" if pair else "failed"] += 1
            continue
        pairs[outcome.text] += 1
        first, second = pair.sides
        matched = pair.matches.propositions.matched or pair.matches.locutions.matched
        counts["same"] += pair.same_map
        counts["one-sided"] += bool(first.units) != bool(second.units)
        counts["apart"] += bool(first.units and second.units and not matched)
        counts["units"] += pair.S is not None and pair.segmentation.mode == "units"
        thin.update(thin_calculations(pair).keys())
        added = [added[0] + first.reconstructed, added[1] + second.reconstructed]
    all_pairs = f"of {pairs.total()} pairs"
    sentences = {
        "failed": "pairs that failed are left out: {}",
        "missing": "texts that only one corpus has count 0: {}",
        "same": "in {} {of} both sides are the same map",
        "one-sided": "in {} {of} one side is empty, which counts 0",
        "apart": "in {} {of} nothing matches",
        "units": "in {} {of} S is of units in common, as no text fits, and not of boundaries",
    }
    lines = few_texts(len(pairs) + counts["missing"])
    lines += [sentence.format(counts[kind], of=all_pairs) for kind, sentence in sentences.items() if counts[kind]]
    mean, firm = macro["M-kappa"].value, macro[FIRM].value
    if thin and mean is not None and firm is not None:
        which = ", ".join(f"{CALCULATIONS[name].code} in {count}" for name, count in thin.items())
        lines.append(
            f"fewer than {MIN_ITEMS} labelled items ({which} {all_pairs}) weigh in M as much as many: "
            f"M-kappa is {firm:z.3f} without such calculations, and not {mean:z.3f}"
        )
    if any(added):
        lines.append(f"nobody said {added[0]} and {added[1]} of the propositions: ER passes over them")
    text, most = pairs.most_common(1)[0] if pairs else ("", 0)
    if micro and most > max(2, 0.1 * pairs.total()) and len(pairs) > 1:
        lines.append(f"{most} {all_pairs} are of one text, {text}: micro counts each of them")
    return lines


def few_texts(texts: int) -> list[str]:
    """Return how far intervals over few texts can be believed."""
    if texts >= MIN_TEXTS:
        return []
    near = min(COVERAGE, key=lambda size: abs(size - texts))
    few = "1 text is" if texts == 1 else f"{texts} texts are"
    return [f"{few} few: of 95 % intervals over {near} texts, {COVERAGE[near]} % hold the true value"]


def caveats_of_tests(tests: Iterable[PairedTest]) -> list[str]:
    """Return the caveats of paired tests."""
    made = [test for test in tests if test.p is not None]
    sizes = sorted({test.texts for test in made if test.exact})
    lines = [f"p over {size} texts cannot be below {2 ** (1 - size):.3g}" for size in sizes]
    if left_out := max((len(test.left_out) for test in made), default=0):
        lines.append(f"texts that a test leaves out, as a score is undefined: up to {left_out}")
    return lines
