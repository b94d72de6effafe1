"""Argdown against what Argdown's own command line makes of the same files."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from aifgraph import ArgumentGraph, GraphBuilder, dumps, load, loads
from aifgraph.errors import FormatError, InputError, LimitError
from aifgraph.graph.schemes import named_scheme

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("AIFGRAPH_SHARED", ROOT.parent / "shared")) / "data" / "argdown"
FILES = sorted(SHARED.glob("*.argdown")) if SHARED.is_dir() else []
ORACLE = Path(__file__).with_name("argdown-cli")


def content(graph: ArgumentGraph) -> tuple[object, ...]:
    """Statements, arguments, relations, tags, data, rules and groups of a graph."""
    nodes = sorted((n.id, n.type, n.text, json.dumps(dict(n.record), sort_keys=True), str(n.schemes)) for n in graph)
    own = graph.meta.aif.get("argdown", {})
    return nodes, sorted((edge.source, edge.target) for edge in graph.edges), own.get("sections", [])


@pytest.mark.skipif(not FILES, reason="needs ../shared/data/argdown")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_shared_files_give_what_argdown_gives(path: Path) -> None:
    exported = path.with_suffix(".json")
    if not exported.exists():
        with pytest.raises(FormatError, match=r"line \d+, column \d+"):
            load(path, format="argdown")
        return
    if path.stem == "semmelweis_betz":
        pytest.skip("its JSON is of another version of the text: without its line 31 and one blank")
    assert content(load(path, format="argdown")) == content(load(exported, format="argdown-json"))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[A] and more", "line 1, column 5: not Argdown: 'and more'; expected is an empty line or the end of the file"),
        ("  + relation", "line 1, column 1: not Argdown: '+'; expected is a statement or an argument"),
        (
            "(1) a\n(2) b",
            "line 2, column 6: not Argdown: 'the end of the file'; expected is a numbered",
        ),
        ("(1) <A>\n----\n(2) b", "line 1, column 5: not Argdown: '<A>'; expected is a statement"),
        ("an *open range", r"expected is * to end what it began; as a character of the text it is written \*"),
        ("[A] {a: [1; 2}", "line 1, column 5: not YAML"),
        ("[A] {a: 1, a: 2}", "the same key twice"),
        ("a\n\\", "line 2, column 1: a backslash at the end of a line"),
        ("<A>\n\n(1) a\n----\n(2) b\n\n<A>\n\n(1) a\n----\n(2) b", "line 9, column 1: a second premise-conclusion"),
        ("", "line 1, column 1: not Argdown: 'the end of the file'"),
    ],
)
def test_errors_name_the_place_and_what_was_expected(text: str, place: str) -> None:
    with pytest.raises(FormatError) as caught:
        loads(text, format="argdown")
    assert place in str(caught.value)


def test_strict_mode_and_uses_and_later_definitions() -> None:
    graph = loads(
        "===\nmodel: {mode: strict}\n===\n\n[A]\n  - [B]\n  + [C]\n\n[A]: first\n\n[A]: later {x: 1}\n\n"
        "<Arg>: what it says #t\n\n(1) p\n(2) q\n-- Rule {uses: [1], note: n} --\n  <_ [U]\n(3) r\n----\n(4) s",
        format="argdown",
    )
    assert graph["A"].text == "later "
    assert graph["A"].record["data"] == {"x": 1}
    assert {node.record.get("symmetric") for node in graph.conflicts} == {"contrary", None}
    assert [node.record.get("strict") for node in graph.inferences if "argument" not in node.record] == [True]
    first, last = graph["Arg (1)"], graph["Arg (2)"]
    assert [node.text for node in graph.premises_of(first) if node.type == "I"] == ["p"]
    assert [node.text for node in graph.premises_of(last)] == ["r"]
    assert first.record["inference"] == {"note": "n"}
    assert [last.record[key] for key in ("argument", "tags", "description")] == ["Arg", ["t"], "what it says #t"]
    assert [graph.conclusions_of(node)[0].id for node in graph.conflicts if graph.premises_of(node)[0].id == "U"] == [
        "Arg (1)"
    ]
    for name in ("argdown", "argdown-json"):
        assert content(loads(dumps(graph, format=name), format=name)) == content(graph)


@pytest.mark.slow
@pytest.mark.no_cover  # it runs few lines very often
def test_depth_and_length_are_bounded() -> None:
    deep = "a\n" + "\n".join(" " * depth + "+ a" for depth in range(1, 400))
    with pytest.raises(LimitError):
        loads(deep, format="argdown")
    start = time.process_time()
    for piece in (
        "[",
        "<",
        "@[",
        "#(",
        "{",
        "[a](",
        "*_",
        "<!--",
        "/*",
        "===.",
        ".a:",
        "{}, ",
        "\n\n//a",
        "-",
        "[a]: b\n\n",
    ):
        try:
            loads("x " + piece * (12_500 // len(piece)), format="argdown")
        except InputError:
            continue
    assert time.process_time() - start < 60  # about 2 s; 10 s on a busy machine that measures coverage


WORDS = (
    "foo",
    "bar.",
    "a: b",
    "x, y",
    r"\[q\]",
    "*it* ",
    "__b__.",
    "#tag ",
    "#(t u) ",
    "@[A] ",
    "[l](u) ",
    "1 < 2",
)
SIGNS = ("+", "-", "<+", "<-", "+>", "->", "><", "_", "<_", "_>")


def random_text(dice: random.Random) -> str:
    return " ".join(dice.choice(WORDS) for _ in range(dice.randint(1, 3)))


def random_member(dice: random.Random, depth: int = 1, argument: bool = True) -> str:
    title = dice.choice("ABCD")
    forms = [f"[{title}]: {random_text(dice)}", f"[{title}]", f"[{title}] #tag {{k: 2}}", random_text(dice)]
    forms += [f"<{title}>: {random_text(dice)}", f"<{title}>"] if argument else []
    lines = [dice.choice(forms) + dice.choice(["", "", "", " {k: {z: 1}}", "\n continued", " // c"])]
    relations = range(dice.choice([0, 0, 1, 2]) if depth < 4 else 0)
    lines += ["  " * depth + f"{dice.choice(SIGNS)} {random_member(dice, depth + 1)}" for _ in relations]
    return "\n".join(lines)


def random_document(dice: random.Random) -> str:
    units = []
    for _ in range(dice.randint(1, 5)):
        rule = dice.choice(["----", "-- Rule --", "-- R1, R2 {uses: [1]} --", "--\nRule\n--"])
        undercut = dice.choice(["", "\n  <_ <C>"])
        numbered = f"(1) {random_member(dice, 3, False)}\n{rule}{undercut}\n(2) {random_member(dice, 3, False)}"
        units.append(
            dice.choice(
                [
                    random_member(dice),
                    random_member(dice),
                    f"<{dice.choice('ABCD')}>: {random_text(dice)}\n\n{numbered}",
                    f"{'#' * dice.randint(1, 3)} {random_text(dice)}\nwrapped",
                    f"* {random_member(dice, 2)}\n* {random_member(dice, 2)}",
                ]
            )
        )
    mode = dice.choice(["", "", "===\nmodel:\n  mode: strict\n===\n\n"])
    return mode + "\n\n".join(units) + dice.choice(["", "\n"])


def argdown(texts: list[str]) -> list[dict[str, object] | None]:
    """What Argdown itself exports of texts; None for those that it refuses."""
    given = json.dumps(texts)
    ran = subprocess.run(["node", "export.js"], cwd=ORACLE, input=given, capture_output=True, text=True, check=True)
    answers: list[dict[str, object] | None] = json.loads(ran.stdout)
    return answers


needs_argdown = pytest.mark.skipif(
    not (ORACLE / "node_modules").is_dir() or shutil.which("node") is None,
    reason="needs Argdown itself: npm ci in tests/formats/argdown-cli",
)


@pytest.mark.slow
@needs_argdown
def test_generated_files_are_read_as_argdown_reads_them() -> None:
    dice = random.Random(15)
    texts = [random_document(dice) for _ in range(300)]
    for text, answer in zip(texts, argdown(texts), strict=True):
        try:
            graph = loads(text, format="argdown")
        except FormatError:
            assert answer is None, text
        else:
            assert answer is not None, text
            exported = loads(json.dumps(answer), format="argdown-json")
            assert content(graph)[0] == content(exported)[0], text


@pytest.mark.slow
@needs_argdown
def test_argdown_reads_what_is_written_here() -> None:
    dice = random.Random(7)
    odd = [*"[]<>{}#*_@/:.,;()-=\\ \t'", "a", "b", "//", "===", ".A.", "é", "#tag", "  "]
    rules = [(), (named_scheme("Expert Opinion", "RA"),)]
    graphs = []
    for _ in range(150):
        build = GraphBuilder()
        units = [
            build.proposition("".join(dice.choice(odd) for _ in range(dice.randint(0, 12))), id=f"n{number}")
            for number in range(4)
        ]
        relation = build.inference(units[: dice.randint(1, 2)], units[2], schemes=dice.choice(rules))
        build.conflict(units[3], dice.choice([relation, units[0]]))
        graphs.append(build.graph())
    for graph, answer in zip(graphs, argdown([dumps(graph, format="argdown") for graph in graphs]), strict=True):
        assert answer is not None, dumps(graph, format="argdown")
        back = loads(json.dumps(answer), format="argdown-json")
        assert {node.text for node in back.propositions} == {node.text for node in graph.propositions}
        assert [len(back.inferences), len(back.conflicts)] == [1, 1]
        assert content(back) == content(loads(dumps(graph, format="argdown"), format="argdown"))
