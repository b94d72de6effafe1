"""Time grows as the input does, for every reader, for every pattern in the code, and for comparing."""

import ast
import gc
import importlib
import json
import pkgutil
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from itertools import accumulate, pairwise, product
from operator import or_
from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]
from time import process_time
from typing import Any

import pytest

import aifgraph
from aifgraph.adjudication.decisions import decision_rows
from aifgraph.adjudication.selection import Consequences
from aifgraph.datasets import READERS, read_dataset
from aifgraph.files import Input
from aifgraph.formats import FORMATS, read_input
from aifgraph.graph.edit import repair
from aifgraph.graph.walk import tree_lines
from aifgraph.report.page import report_html
from contract.crafted import DATASETS, FILES
from documents import argument

#: Less than this in seconds is no time.
NOTHING = 0.03


def spent(function: Callable[[Any], object], value: Any) -> float:
    gc.disable()  # how long looking for cycles takes depends on what other tests have left
    try:
        start = process_time()
        with suppress(aifgraph.AifgraphError):  # a bound, which is an answer too
            function(value)
        return process_time() - start
    finally:
        gc.enable()


def assert_linear(function: Callable[[Any], object], small: Sequence[Any], large: Sequence[Any]) -> None:
    """Time grows at most 2.5 times as much as the size; tried again, since others work on the same machine."""
    for _ in range(3):
        now = spent(function, large)
        if now < NOTHING:
            return
        before = max(min(spent(function, small) for _ in range(3)), NOTHING / 4)
        if now < 2.5 * before * len(large) / len(small):
            return
    pytest.fail(f"{now:.2f} s, and {before:.2f} s for a file of {len(small) / len(large):.0%}")


@pytest.mark.parametrize("n", [1000, pytest.param(8000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FILES)
def test_files(name: str, n: int) -> None:
    format, make = FILES[name]
    small, large = make(n // 4).encode(), make(n).encode()
    assert_linear(lambda data: read_input(Input("x", data, sibling=lambda _: None), format), small, large)


@pytest.mark.parametrize("n", [4000, pytest.param(40_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", DATASETS)
def test_data_sets(name: str, n: int, tmp_path: Path) -> None:
    dataset, file, make = DATASETS[name]

    def read(text: str) -> None:
        (tmp_path / file).write_bytes(text.encode())
        list(read_dataset(dataset, tmp_path / file))

    assert_linear(read, make(n // 4), make(n))


def test_every_reader_is_tried() -> None:
    assert {format for format, _ in FILES.values()} == {name for name, each in FORMATS.items() if each.reads}
    assert {name for name, *_ in DATASETS.values()} <= set(READERS)


TEXTS: dict[str, Callable[[str], list[str]]] = {
    "one text": lambda side: ["the same text"] * 800,
    "one long text": lambda side: [f"{side} and more " * 50_000],
    "nearly one text": lambda side: [f"nearly the same text {side} of {number}" for number in range(3000)],
    "long texts": lambda side: [f"{side} and more " * 50 + str(number) for number in range(3000)],
}
SLOW = ("one text", "nearly one text", "long texts")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in TEXTS])
def test_comparing_what_would_take_too_long_is_an_error(name: str) -> None:
    first, second = (argument(**{f"c{n}": text for n, text in enumerate(TEXTS[name](of))}) for of in ("first", "other"))
    start = process_time()
    with pytest.raises(aifgraph.LimitError, match="more than"):
        aifgraph.compare(first, second)
    assert process_time() - start < 30


def test_labels_and_names_without_number() -> None:
    def spoken(n: int, act: str, side: str) -> aifgraph.ArgumentGraph:
        build = aifgraph.GraphBuilder()
        for number in range(n):
            locution = build.locution(f"{side}{number}: claim {number}")
            build.illocution(locution, build.proposition(f"claim {number}"), act.format(number))
        return build.graph()

    with pytest.raises(aifgraph.LimitError, match="labels"):
        aifgraph.compare(spoken(300, "Act {}", "Ann"), spoken(300, "Act {}", "Ben")).to_dict()
    small, large = range(300), range(1200)
    results = {
        len(n): aifgraph.compare(*(spoken(len(n), "Asserting", side) for side in ("Ann", "Ben"))).result
        for n in (small, large)
    }
    assert_linear(lambda n: results[len(n)].to_dict(), small, large)


METHODS = ("match", "fullmatch", "search", "sub", "findall", "finditer", "split")
#: Pattern, method, and where it is.
Use = tuple["re.Pattern[Any]", str, str]


def uses() -> list[Use]:
    """Every pattern of the code with the methods that are called on it."""
    called: dict[str, set[str]] = {}
    found: dict[tuple[Any, str], Use] = {}
    for path in sorted(Path(aifgraph.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS):
                continue
            owner = ast.unparse(node.func.value)
            called.setdefault(owner.rpartition(".")[2], set()).add(node.func.attr)
            if owner == "re" and isinstance(node.args[0], ast.Constant):
                flags = re.findall(r"\bre\.([A-Z]+)\b", ast.unparse(node))
                pattern = re.compile(node.args[0].value, reduce(or_, (re.RegexFlag[flag] for flag in flags), 0))
                found[pattern, node.func.attr] = pattern, node.func.attr, f"{path.name}:{node.lineno}"
    for module in pkgutil.walk_packages(aifgraph.__path__, "aifgraph."):
        if module.name.endswith("__main__"):
            continue
        code = importlib.import_module(module.name)
        for holder in (code, *(each for each in vars(code).values() if isinstance(each, type))):
            for name, value in vars(holder).items():
                for method in called.get(name, ()) if isinstance(value, re.Pattern) else ():
                    found[value, method] = value, method, f"{module.name}.{name}"
    return list(found.values())


#: The usual ones first.
CHARACTERS = (*" a1_:-.\t\n/'\"\\<>[](){}&;,é", *map(chr, range(0x2100)), "\ud800")


def _sample(tree: Any, turn: int) -> str:
    """A text that a part of a pattern matches, with another character of each class for each turn."""
    text = ""
    for kind, value in tree:
        match str(kind):
            case "LITERAL":
                text += chr(value)
            case "NOT_LITERAL" | "ANY":
                text += "xy"[turn % 2]
            case "IN":
                one = re._compiler.compile(parser.SubPattern(parser.State(), [(kind, value)]))  # type: ignore[attr-defined]
                fitting = [*filter(one.match, CHARACTERS)]
                text += fitting[turn % len(fitting)]
            case "BRANCH":
                text += _sample(value[1][turn % len(value[1])], turn)
            case "SUBPATTERN":
                text += _sample(value[3], turn)
            case "ATOMIC_GROUP":
                text += _sample(value, turn)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                text += _sample(value[2], turn) * max(1, min(value[0], 3))
    return text


def hurting(pattern: re.Pattern[Any]) -> set[tuple[str, str, str]]:
    """Texts that could hurt a pattern: what stands before, what is repeated, what stands after."""
    found = set()
    for turn in range(3):
        text = _sample(parser.parse(pattern.pattern, pattern.flags), turn)
        for start in range(len(text)):
            for end in {start + 1, start + 2, start + 3, len(text) - 1, len(text)}:
                found |= {(text[:start], text[start:end], after) for after in ("", "\0") if start < end <= len(text)}
    return found


@pytest.mark.slow
def test_patterns() -> None:
    n = 10_000
    found = uses()
    assert len(found) > 80
    for pattern, method, where in found:
        call: Callable[[Any], object] = getattr(pattern, method)
        if method == "sub":
            call = lambda text, pattern=pattern: pattern.sub(text[:0], text)  # noqa: E731
        elif method == "finditer":
            call = lambda text, pattern=pattern: list(pattern.finditer(text))  # noqa: E731
        for before, unit, after in sorted(hurting(pattern)):
            small, large = (before + unit * (size // len(unit) + 1) + after for size in (n // 6, n))
            if isinstance(pattern.pattern, bytes):
                small, large = (text.encode("utf-8", "surrogatepass") for text in (small, large))
            try:
                assert_linear(call, small, large)
            except pytest.fail.Exception as error:
                pytest.fail(f"{where}.{method}: {before!r} + {unit!r} * n + {after!r}: {error}")


@pytest.mark.parametrize(("levels", "error"), [(200, aifgraph.FormatError), (201, aifgraph.LimitError)])
def test_xml_has_at_most_200_levels(levels: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        aifgraph.loads(f"<graphml>{'<x>' * levels}{'</x>' * levels}</graphml>", format="aml")


def test_writing_a_chain_of_undercuts_of_nothing() -> None:
    def chain(n: int) -> aifgraph.ArgumentGraph:
        nodes = [{"nodeID": f"{number}", "text": "x", "type": "CA"} for number in range(1, n)]
        edges = [(f"{number}", f"{number - 1}") for number in range(2, n)] + [
            ("p", f"{number}") for number in range(1, n)
        ]
        listed = [{"edgeID": f"e{place}", "fromID": a, "toID": b} for place, (a, b) in enumerate(edges)]
        return aifgraph.from_dict({"nodes": [{"nodeID": "p", "text": "a", "type": "I"}, *nodes], "edges": listed})

    assert_linear(lambda graph: aifgraph.dumps(graph, format="brat"), chain(200), chain(1200))


def node_repeated(n: int) -> aifgraph.ArgumentGraph:
    nodes = [{"nodeID": "1", "text": "x", "type": "RA", "scheme": f"s{i}", "schemeID": f"{i}"} for i in range(n)]
    return aifgraph.from_dict({"nodes": nodes, "edges": []})


def test_a_node_repeated_with_many_schemes() -> None:
    assert len(node_repeated(50).nodes[0].schemes) == 50
    assert_linear(lambda sizes: node_repeated(len(sizes)), range(2000), range(16_000))


@pytest.mark.parametrize("kind", ["RA", "I"])
def test_repairing_a_chain(kind: str) -> None:
    def chain(n: int) -> aifgraph.ArgumentGraph:
        nodes = [{"nodeID": f"{i}", "text": "x", "type": "RA" if i % 2 else kind} for i in range(n)]
        edges = [{"fromID": f"{i}", "toID": f"{i + 1}"} for i in range(n - 1)]
        return aifgraph.from_dict({"nodes": nodes, "edges": edges})

    assert_linear(repair, chain(400), chain(3200))


def undercut_often(n: int) -> aifgraph.ArgumentGraph:
    """A chain of undercuts."""
    build = aifgraph.GraphBuilder()
    relation = build.inference([build.proposition("reason")], build.proposition("claim"))
    for number in range(n):
        relation = build.conflict(build.proposition(f"doubt {number}"), relation)
    return build.graph()


def answered_often(n: int) -> aifgraph.ArgumentGraph:
    """A locution that says n propositions, and n answers to it, each with a reason for one of them."""
    build = aifgraph.GraphBuilder()
    locution = build.locution("much", speaker="Ann")
    claims = [build.proposition(f"claim {number}") for number in range(n)]
    act = build.illocution(locution, claims[0], "Asserting")
    for number, claim in enumerate(claims):
        build.edge(act, claim) if number else None
        answer, reason = build.locution(f"reason {number}", speaker="Ben"), build.proposition(f"reason {number}")
        build.illocution(answer, reason, "Asserting")
        build.illocution(build.transition(locution, answer), build.inference([reason], claim), "Arguing")
    return build.graph()


def with_new_speakers(graph: aifgraph.ArgumentGraph) -> aifgraph.ArgumentGraph:
    build = aifgraph.GraphBuilder(graph)
    for locution in graph.locutions:
        build.update(locution, speaker=build.participant(f"Person {locution.id}"))
    return build.graph()


def consequences_of_another_reason(graph: aifgraph.ArgumentGraph) -> None:
    build = aifgraph.GraphBuilder(graph)
    build.update("1", text="reasons")
    assert Consequences(aifgraph.compare(graph, build.graph()).differences()).chains()


@pytest.mark.parametrize(
    ("make", "function"),
    [
        (undercut_often, lambda graph: graph.subgraph(graph.propositions)),
        (undercut_often, lambda graph: aifgraph.GraphBuilder(graph).remove("1", cascade=True)),
        (undercut_often, consequences_of_another_reason),
        (answered_often, lambda graph: aifgraph.validate(graph, "iat", select="310")),
        (answered_often, with_new_speakers),
    ],
)
def test_chains_hubs_and_many_people(
    make: Callable[[int], aifgraph.ArgumentGraph], function: Callable[[aifgraph.ArgumentGraph], object]
) -> None:
    assert_linear(function, make(500), make(2000))


def joined(
    n: int, ends: Callable[[int], tuple[int, int]], text: str = "claim {}", *, said: bool = True
) -> aifgraph.ArgumentGraph:
    """Propositions, which somebody says, and as many inferences between two of them."""
    build = aifgraph.GraphBuilder()
    claims = [build.proposition(text.format(number)) for number in range(n)]
    for number, claim in enumerate(claims if said else ()):
        build.illocution(build.locution(text.format(number), speaker=f"Ann {number}"), claim, "Asserting")
    for start, end in map(ends, range(1, n)):
        build.inference(claims[start], claims[end])
    return build.graph()


SHAPES: dict[str, Callable[[int], aifgraph.ArgumentGraph]] = {
    "chain": lambda n: joined(n, lambda number: (number, number - 1)),
    "to one": lambda n: joined(n, lambda number: (number, 0)),
    "from one": lambda n: joined(n, lambda number: (0, number)),
    "one twice and again": lambda n: joined(n, lambda number: (0, 1), said=False),
    "equal texts": lambda n: joined(n, lambda number: (number, 0), "the same"),
    "undercuts of undercuts": undercut_often,
    "answers to one": answered_often,
}
CALLS: dict[str, Callable[[aifgraph.ArgumentGraph], object]] = {
    "validate": lambda graph: [aifgraph.validate(graph, profile) for profile in ("aif", "iat", "xaif")],
    "repair": repair,
    "tree": lambda graph: [*tree_lines(graph)],
    "frames": lambda graph: (graph.to_frame(), graph.nodes_frame(), graph.edges_frame()),
    "networkx": lambda graph: aifgraph.ArgumentGraph.from_networkx(graph.to_networkx()),
    "formats": lambda graph: [aifgraph.dumps(graph, format=name) for name, each in FORMATS.items() if each.writer],
    "neighbours": lambda graph: (
        graph.components(),
        [(graph.speaker_of(node), graph.span_of(node)) for node in graph.locutions],
        [graph.locution_of(node) for node in graph.propositions],
    ),
    "subgraph": lambda graph: graph.subgraph(graph.propositions),
    "union": lambda graph: aifgraph.union([graph, graph]),
    "remove": lambda graph: aifgraph.GraphBuilder(graph).remove(graph.propositions[0], cascade=True),
    "compare": lambda graph: aifgraph.compare(graph, graph, calculations="AS"),
    "merge": lambda graph: aifgraph.merge(graph, graph, prefer="second"),
    "differences": lambda graph: aifgraph.compare(graph, graph).differences().to_dict(),
}


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("shape", SHAPES)
def test_calls_grow_as_graphs_do(shape: str, call: str) -> None:
    make = SHAPES[shape]
    assert_linear(CALLS[call], make(400), make(2000))


@pytest.mark.slow
def test_consequences_of_choices_in_a_long_chain_are_one_error() -> None:
    comparison = aifgraph.compare(undercut_often(1100), undercut_often(0))
    for use in (report_html, lambda result: decision_rows(result.differences(), "x")):
        with pytest.raises(aifgraph.LimitError):
            use(comparison)


def test_checking_what_would_take_too_long_is_an_error() -> None:
    build = aifgraph.GraphBuilder()
    before: tuple[str, str, str] | None = None
    for number in range(900):  # reported speech within reported speech
        locution, act = build.locution(f"claim {number}", speaker="Ann"), build.node("YA", "Asserting")
        claim = build.proposition(f"claim {number}")
        build.edge(locution, act)
        build.edge(act, claim)
        if before:
            build.edge(before[1], locution)
            inference = build.inference([claim], before[2])
            build.illocution(build.transition(before[0], locution), inference, "Arguing")
        before = locution, act, claim
    said = aifgraph.GraphBuilder()  # nothing of it stands in the text
    for number in range(2600):
        said.illocution(said.locution(f"word{number}", speaker="Ann"), said.proposition(f"{number}"), "Asserting")
    said.source("text " * 100_000)
    for graph in (build.graph(), said.graph()):
        with pytest.raises(aifgraph.LimitError):
            aifgraph.validate(graph, "iat")


def test_differences_of_a_relation_of_many_premises_and_conclusions() -> None:
    def pair(m: int) -> list[aifgraph.ArgumentGraph]:
        graphs = []
        for size in (m, m - 1):
            builder = aifgraph.GraphBuilder()
            premises = [builder.proposition(f"premise {i} of {i * 7919}") for i in range(size)]
            claims = [builder.proposition(f"claim {i} about {i * 104_729}") for i in range(size)]
            relation = builder.inference(premises, claims[0])
            for claim in claims[1:]:
                builder.edge(relation, claim)
            graphs.append(builder.graph())
        return graphs

    small, large = (spent(lambda graphs: aifgraph.compare(*graphs).differences(), pair(m)) for m in (30, 90))
    assert large < 4 * 9 * max(small, NOTHING)  # m⁴ would be 81 times


def wide(m: int, more: str = "") -> aifgraph.ArgumentGraph:
    """A relation of m premises and m conclusions, perhaps undercut by m premises or anchored in m locutions."""
    build = aifgraph.GraphBuilder()
    claims = [build.proposition(f"claim {i} about {i * 104_729}") for i in range(m)]
    relation = build.inference([build.proposition(f"premise {i} of {i * 7919}") for i in range(m)], claims[0])
    for claim in claims[1:]:
        build.edge(relation, claim)
    if more == "undercut":
        build.relation("CA", [build.proposition(f"doubt {i} of {i * 31}") for i in range(m)], relation)
    if more == "anchored":
        act = build.node("YA", "Arguing")
        build.edge(act, relation)
        for number in range(m):
            build.edge(build.locution(f"Ann: point {number}"), act)
    return build.graph()


def illocution(m: int) -> aifgraph.ArgumentGraph:
    """An illocution of m anchors and m contents."""
    build = aifgraph.GraphBuilder()
    act = build.node("YA", "Arguing")
    for number in range(m):
        build.edge(build.locution(f"Ann: point {number}"), act)
        build.edge(act, build.proposition(f"point {number}"))
    return build.graph()


def test_checking_repairing_and_showing_a_relation_of_many_premises_and_conclusions() -> None:
    graphs = {m: wide(m) for m in (200, 1000)}
    for function in (aifgraph.validate, repair):
        assert_linear(lambda n, function=function: function(graphs[len(n)]), range(200), range(1000))
    assert len(aifgraph.validate(graphs[1000]).errors) == 1
    for lines in (tree_lines, aifgraph.ArgumentGraph.to_frame):
        with pytest.raises(aifgraph.LimitError):
            list(lines(graphs[1000]))


def linked(n: int, words: str) -> aifgraph.ArgumentGraph:
    """A claim with n premises of one relation."""
    build = aifgraph.GraphBuilder()
    premises = [build.proposition(f"{words}{i} {words}{i * 7919}") for i in range(n)]
    build.inference(premises, build.proposition("claim"))
    return build.graph()


@pytest.mark.parametrize("words", ["why", "since"])
def test_merging_a_relation_of_many_premises(words: str) -> None:
    graphs = {n: (linked(n, "why"), linked(n, words)) for n in (200, 1200)}
    assert_linear(lambda n: aifgraph.merge(*graphs[len(n)]), range(200), range(1200))


def unsaid(n: int, between: int, repeated: int = 1) -> tuple[aifgraph.ArgumentGraph, dict[str, Any]]:
    """n said propositions, a chain of others, joined once or repeatedly, and n said ones; and the text."""
    build = aifgraph.GraphBuilder()
    said = [f"said {number}." for number in range(2 * n)]
    ends = [build.proposition(text) for text in said]
    chain = [build.proposition(f"reconstructed {number} of {number * 31}") for number in range(between)]
    for start, end in [*product(ends[:n], chain[:1]), *[*pairwise(chain)] * repeated, *product(chain[-1:], ends[n:])]:
        build.inference([start], end)
    return build.graph(), dict.fromkeys(("first_text", "second_text"), " ".join(said))


def convergent(n: int) -> tuple[aifgraph.ArgumentGraph, dict[str, Any]]:
    build = aifgraph.GraphBuilder()
    claim = build.proposition("claim")
    for number in range(n):
        build.inference([build.proposition(f"premise {number} of {number * 31}")], claim)
    return build.graph(), {"calculations": "AS"}


TOO_MANY: dict[str, tuple[aifgraph.ArgumentGraph, dict[str, Any]]] = {
    "links": (wide(1000), {}),
    "links by chance": (wide(1000), {"chance": 2}),
    "links of an undercut": (wide(300, "undercut"), {}),
    "few links of an undercut by chance": (wide(100, "undercut"), {"chance": 2}),
    "anchors of links": (wide(300, "anchored"), {}),
    "anchors and contents": (illocution(800), {}),
    "links by way of a node": unsaid(600, 1),
    "links by way of a chain": unsaid(200, 300),
    "repeated links": unsaid(20, 2, repeated=700),
    "pairs of premises": convergent(600),
}


@pytest.mark.parametrize("name", TOO_MANY)
@pytest.mark.parametrize("show", [aifgraph.Comparison.to_text, report_html])
def test_links_paths_and_pairs_that_are_too_many_are_one_error(show: Callable[[Any], str], name: str) -> None:
    graph, options = TOO_MANY[name]
    start = process_time()
    with pytest.raises(aifgraph.LimitError):
        show(aifgraph.compare(graph, graph, **options))
    assert process_time() - start < 10


def test_a_post_that_quotes_often(tmp_path: Path) -> None:
    def read(n: Sequence[int]) -> None:
        words = [f"word{number} &amp; more. " for number in n]
        starts = [*accumulate(map(len, words), initial=0)]
        posts = [[post, None, "ann", "".join(words), {}, None, None, 0] for post in (1, 2)]
        quotes = [[2, [start, end, {"quote_id": 1}]] for start, end in [*pairwise(starts)][::2]]
        for name, document in {"discussions": [posts, {}, {}], "ranges/quotes": quotes}.items():
            (tmp_path / name).mkdir(parents=True, exist_ok=True)
            (tmp_path / name / "1.json").write_text(json.dumps(document), "utf-8")
        list(read_dataset("iac1", tmp_path))

    assert_linear(read, range(250), range(2000))
