"""Caveats printed with pooled numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from aifgraph.comparison.tables import (
    MIN_ITEMS,
    caveats_of,
    is_padded,
    mean_without_thin,
    merged_share,
    thin_calculations,
)
from aifgraph.corpus.corpus import MapEntry
from aifgraph.evaluation.estimates import COLUMNS, Estimate, Estimates, PairedTest, print_p
from aifgraph.evaluation.record import Outcome
from aifgraph.evaluation.text_tables import PARTS
from aifgraph.printable import enumerated, listed, pluralize
from aifgraph.stats.scores import printed_name
from aifgraph.tables import Table

#: Fewer texts say little about others; so do fewer pairs of many.
MIN_TEXTS, MIN_PAIRS = 20, 5
#: The most names that a sentence lists.
MAX_NAMES = 3
#: What is said of pairs, by the codes of their caveats and by what else is counted.
SENTENCES = {
    "failed": "pairs left out because of errors: {}",
    "unreadable": "unreadable maps, which score zero: {}",
    "same map": "in {} {of} both sides are copies of one map, with the same ids{without_same}",
    "full agreement": "in {} {of} both sides are the same map, with ids of their own",
    "given units": "in {} {of} both sides have the same units by id, so S is 1 by construction",
    "one empty": "in {} {of} one side is empty: its M and CASS are 0, but its S counts in mean S",
    "own text": "in {} {of} only {second} has a source text, which decides what matches and where units are cut",
    "unlike texts": "in {} {of} the source texts share less than half of their words, which can raise S",
    "different documents": "in {} {of} the maps look like two different documents",
    "no match": "in {} {of} no proposition or locution matches, so that no label agrees",
    "units": "in {} {of} no text fits, and S compares units instead of boundaries in the text",
    "reconstructed": "in {} {of} nobody says some propositions; paths of explicit relations (ER) lead through them",
}


def corpus_caveats(
    outcomes: Iterable[Outcome],
    macro: Estimates,
    micro: Estimates | None = None,
    names: Sequence[str] = ("first", "second"),
    extra: Sequence[MapEntry] = (),
) -> list[str]:
    """Return the caveats of the numbers of many pairs, with ``micro`` also of sums over pairs.

    ``extra`` are maps of a system that no gold text is for.
    """
    pairs: Counter[str] = Counter()  # by text
    counts: Counter[str] = Counter()
    layers: Counter[str] = Counter()
    thin: Counter[str] = Counter()  # by calculation
    without_thin: dict[str, list[float]] = defaultdict(list)  # M-κ by text
    not_same: dict[str, list[float]] = defaultdict(list)  # argument M-κ by text
    others = False  # a compared pair is no copy
    sides: list[Counter[str]] = [Counter(), Counter()]
    for outcome in outcomes:
        pair = outcome.result
        counts["unreadable"] += bool(outcome.unreadable)
        if pair is None:
            counts["failed"] += 1
            continue
        argument, kappa = pair.layers["propositional"].mean["kappa"], mean_without_thin(pair)
        is_copy = pair.same_map and pair.same_ids == "all"
        if argument is not None and not is_copy and (outcome.missing or pair.S is not None):
            not_same[outcome.text].append(0.0 if outcome.missing else argument)
            others |= not outcome.missing
        if outcome.missing or (kappa is not None and pair.S is not None):
            without_thin[outcome.text].append(0.0 if outcome.missing or kappa is None else kappa)
        if outcome.missing:
            counts["missing"] += 1
            continue
        pairs[outcome.text] += 1
        counts.update(caveat.code for caveat in caveats_of(pair))
        counts["given units"] += pair.S == 1 and bool(pair.same_ids)
        counts["own text"] += pair.how.options.reference == "first" and pair.first.text == "shared"
        counts["unlike texts"] += pair.text_overlap is not None and pair.text_overlap < 0.5
        counts["units"] += pair.S is not None and pair.segmentation.mode == "units"
        counts["beyond"] += pair.beyond
        counts["reference"] += pair.how.options.reference == "first"
        for side, own in zip(sides, pair.sides, strict=True):
            side.update({key: getattr(own, key) for key in ("propositions", "unlinked", "duplicates", "merged")})
        layers.update(part for layer, part in PARTS.items() if part and pair.layers[layer].n)
        thin.update(thin_calculations(pair).keys())
    total = pairs.total()
    of_pairs = f"of {pluralize(total, 'compared pairs' if counts['missing'] else 'pairs')}"
    without = f"argument M-κ is {_mean(not_same)} without them" if others else "no compared pair is left without them"
    if counts["same map"] == total or not 1 < counts["given units"] == total:
        del counts["given units"]
    how = {"of": of_pairs, "without_same": f"; {without}", "second": names[1]}
    lines = [sentence.format(counts[kind], **how) for kind, sentence in SENTENCES.items() if counts[kind]]
    if counts["beyond"]:
        labels = pluralize(counts["beyond"], "labels")
        lines.append(
            f"{labels} beyond the reference, in calculations without a label of the first: only micro counts them"
        )
    if extra:
        named = listed([entry.name for entry in extra])
        lines.append(f"maps that no gold text is for, and that count nothing: {len(extra)} ({named})")
    for name, of, other, other_name in zip(names, sides, sides[::-1], names[::-1], strict=True):
        if is_padded(of["unlinked"], of["propositions"]):
            why = "they count nothing" if counts["reference"] else "they raise κ"
            what = f"{of['unlinked']} of {pluralize(of['propositions'], 'propositions')}"
            lines.append(f"{name} has {what} that nobody links and {other_name} does not have: {why}")
        if of["duplicates"] > other["duplicates"]:
            what = f"{of['duplicates']} propositions with the text of another one"
            lines.append(f"{name} has {what} (W404 of check), {other_name} {other['duplicates']}")
        if of is sides[0] and counts["reference"]:
            lines += filter(None, [merged_share(name, of["merged"], of["propositions"])])
    mean = _mean(without_thin) if thin else ""
    if mean and mean != str(Estimate(macro["M-kappa"].value)):
        calculations = [f"{name.replace('_', ' ')} in {count}" for name, count in thin.items()]
        if len(calculations) > MAX_NAMES:
            calculations = [f"{len(calculations)} calculations in up to {max(thin.values())}"]
        fewer = f"calculations of fewer than {MIN_ITEMS} labelled items"
        lines.append(f"M-κ is {mean} without {fewer} ({', '.join(calculations)} {of_pairs})")
    for part, number in sorted(layers.items()):
        if number < total and (2 * number < total or number < MIN_PAIRS):
            lines.append(f"{part} M is from {number} {of_pairs}{_micro_without(part, micro)}")
    for text, most in pairs.most_common(1):
        if micro and most > max(2, 0.1 * total) and len(pairs) > 1:
            lines.append(f"{most} {of_pairs} are of one text, {text}: micro counts each of them")
    return [*lines, *no_width(macro)]


def no_width(numbers: Estimates) -> list[str]:
    """Return the caveat of intervals of the short table that have no width."""
    narrow = [name for name in COLUMNS if (of := numbers[name]).low is not None and of.low == of.high]
    names = enumerated([printed_name(name) for name in narrow])
    return [f"intervals without width, as all texts have one value or none is above 0: {names}"] if narrow else []


def _micro_without(layer: str, micro: Estimates | None) -> str:
    """Return what micro M-κ is without a layer; nothing where it is not known."""
    other = {"argument": "dialogue", "dialogue": "argument"}[layer]
    whole, rest = (micro[name].value if micro else None for name in ("M-kappa", f"{other} M-kappa"))
    return f"; micro M-κ is {whole:z.3f}, without it {rest:z.3f}" if whole is not None and rest is not None else ""


def _mean(values: Mapping[str, Sequence[float]]) -> str:
    """Return the mean over texts of the means of their values, as it is printed; empty without values."""
    means = [fmean(of_text) for of_text in values.values() if of_text]
    return str(Estimate(fmean(means))) if means else ""


def left_out(unpaired: Mapping[str, Sequence[str]], *, missing: str) -> str:
    """Return what becomes of the texts that only one corpus has: the second half of a first line.

    >>> left_out({"ann": ["map4"], "ben": []}, missing="skip")
    '; map4 (only ann) is left out'
    >>> left_out({"ann": ["map4", "map5"], "ben": ["map7"]}, missing="zero")
    '; map4 (only ann), map5 (only ann) and map7 (only ben) count 0'
    >>> left_out({"ann": ["map4", "map5", "map6"], "ben": ["map7"]}, missing="zero")
    '; 3 texts that only ann has and 1 text that only ben has count 0'
    """
    sides = {name: texts for name, texts in unpaired.items() if texts}
    number = sum(map(len, sides.values()))
    if number > MAX_NAMES:
        names = [f"{pluralize(len(texts), 'texts')} that only {name} has" for name, texts in sides.items()]
    else:
        names = [f"{text} (only {name})" for name, texts in sides.items() for text in texts]
    one, several = ("counts 0", "count 0") if missing == "zero" else ("is left out", "are left out")
    return f"; {enumerated(names)} {one if number == 1 else several}" if names else ""


def few_texts(texts: int) -> list[str]:
    """Return the caveat of intervals over few texts, whose coverage docs/reporting.md shows."""
    if texts < 2:
        return ["1 text: there are no intervals over texts"]
    return [f"{texts} texts: these intervals are too narrow"] if texts < MIN_TEXTS else []


def caveats_of_tests(tests: Iterable[PairedTest]) -> list[str]:
    made = [test for test in tests if test.p is not None]
    least = sorted({(test.texts, test.p_least) for test in made if test.exact})
    bounds = ", ".join(f"{print_p(p)} with {pluralize(texts, 'texts')}" for texts, p in least)
    lines = [f"p cannot be below {bounds}"] if bounds else []
    if most := max((len(test.left_out) for test in made), default=0):
        lines.append(f"tests leave out up to {pluralize(most, 'texts')} in which a score is undefined")
    return lines


def by_system(systems: Mapping[str, Sequence[str]]) -> Table:
    """Return the caveats of several systems as a table, each once.

    >>> by_system({"ours": ["few texts", "no text fits"], "theirs": ["few texts"]}).rows
    [('all', 'few texts'), ('ours', 'no text fits')]
    """
    names: dict[str, list[str]] = defaultdict(list)
    for name, caveats in systems.items():
        for caveat in caveats:
            names[caveat].append(name)
    rows = [("all" if len(of) == len(systems) > 1 else ", ".join(of), caveat) for caveat, of in names.items()]
    return Table("Caveats of systems", ("", "caveat"), rows)
