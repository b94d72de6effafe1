"""No file reads another, nothing is overwritten unasked, and what is left over goes."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

import aifgraph
from aifgraph.cli import main
from aifgraph.files import Input, new_file, new_folder, remove_parts
from aifgraph.formats import read_input
from aifgraph.tables import Table, as_csv, tsv_cell, tsv_text
from documents import ANN, FIRST

AIF = "http://www.arg.dundee.ac.uk/aif#"


def nested(address: str) -> list[object]:
    """JSON-LD documents that name a context by its address, wherever one may stand."""
    node = {"@id": "http://x/1", "@type": AIF + "I-node", AIF + "claimText": "a"}
    contexts: list[object] = [address, [address], [[address]], [{}, [[address]]], {"@version": 1.1, "@import": address}]
    contexts += [
        {"a": {"@id": "http://x/a", "@context": each}} for each in (address, [{}, address], {"b": "http://x/b"})
    ]
    contexts += [{"A": {"@id": "http://x/A", "@context": {"b": {"@id": "http://x/b", "@context": address}}}}]
    inner = {"@context": address, **node}
    documents: list[object] = [{"@context": context, "@graph": [node]} for context in contexts]
    documents += [{"@graph": [inner]}, [inner], {"@graph": [{"@graph": [inner]}]}]
    documents += [{**node, "http://x/p": {"@list": [{"@list": [inner]}]}}, {**node, "@included": [inner]}]
    return [*documents, {**node, "@reverse": {"http://x/p": inner}}]


@pytest.mark.parametrize("address", ["file:///context.jsonld", "http://127.0.0.1:9/context", "context.jsonld"])
def test_contexts_outside_the_document_are_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "context.jsonld").write_text('{"@context": {}}')
    for document in nested(address):
        with pytest.raises(aifgraph.FormatError, match="context"):
            aifgraph.loads(json.dumps(document), format="jsonld")
    (tmp_path / "map.jsonld").write_text(json.dumps(nested(address)[2]))
    for command in ("show", "check", "draw"):
        assert main([command, "map.jsonld"]) == 2


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "SELECT * { BIND('''\n\"''' AS ?b) SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } BIND('''\"\n''' AS ?c) }",
        "SELECT * { ?s ?p trueSERVICE<http://127.0.0.1:9/>{ ?s ?p ?o } }",
        "SELECT * { FILTER(1<2) serviceSILENT?x{ ?s ?p ?o } FILTER(2>1) }",
        "SELECT * { ?s f:a\\' ?o SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } # '\n }",
        "SELECT * { ?s f:a\\# ?o SERVICE # one\n <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "SELECT * { FILTER(?o <'>') SERVICE f:x { ?s ?p ?o } FILTER('<' > ?o) }",
    ],
)
def test_no_query_asks_another_server(query: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["query", str(ANN), query]) == 2
    assert "SERVICE" in capsys.readouterr().err
    words = "SELECT ?service ?o { ?service aif:claimText ?o FILTER(CONTAINS(?o, 'a service of')) } # service"
    assert main(["query", str(ANN), words]) == 0


COMPARING = ("compare", "differences", "evaluate", "agreement")


def test_outputs_are_no_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(FIRST, "in.json")
    Path("in.txt").write_bytes(b"The transcript.")
    shutil.copytree(ANN, "ann")
    assert main(["convert", "ann", "ann.jsonl"]) == 0
    Path("pairs.tsv").write_text("first\tsecond\nnodeset1\tnodeset1\n", "utf-8")
    assert main(["differences", "in.json", "in.json", "-o", "decisions.tsv"]) == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for line in (
        "convert in.json in.json",
        "convert in.json ./in.ann",
        "convert ann.jsonl ann.jsonl",
        "convert ann ann",
        "check in.json --fix in.json",
        "check ann --fix ann",
        "show in.json -o in.txt",
        "compare in.json in.json --format json -o in.json",
        "compare in.json in.json --first-text in.txt -o in.txt",
        "compare ann ann -o ann/nodeset1.json",
        *(f"{command} ann ann --pair-by pairs.tsv -o pairs.tsv --format csv" for command in COMPARING),
        "differences ann ann --pair-by ./pairs.tsv -o pairs.tsv",
        "merge ann ann --pair-by pairs.tsv --prefer first -o pairs.tsv",
        "merge in.json in.json --decisions decisions.tsv -o ./decisions.tsv",
        "merge in.json in.json --prefer first -o in.json",
        "merge ann ann --prefer first -o ann.jsonl/../ann",
        "convert --dataset arct in.txt pairs.tsv --set labels=pairs.tsv",
    ):
        assert main(line.split()) == 2, line
    for line in ("convert ann -", "merge ann ann --prefer first -o -"):
        assert main(line.split()) == 2, line
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert main(["compare", "in.json", "in.json", "-o", "ann/scores.csv"]) == 0
    assert main(["compare", "ann", "ann", "-o", "ann/scores.csv"]) == 2  # nor what else is in a folder that is read
    Path("-").mkdir()
    assert main(["differences", "in.json", "in.json", "-o", "-"]) == 0


def test_force_replaces_inputs_but_no_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("in.json", "other.json"):
        shutil.copy(FIRST, name)
    before = Path("in.json").read_bytes()
    shutil.copytree(ANN, "ann")
    for lines in ("ann.jsonl", "ann.zip"):
        assert main(["convert", "ann", lines]) == 0
        assert main(["convert", lines, lines, "--force"]) == 2
    for line in ("convert ann ann --force", "check ann --fix ann --force", "show ann.jsonl -o ann.jsonl --force"):
        assert main(line.split()) == 2, line
    assert main(["convert", "in.json", "in.json", "--to", "xaif", "--force"]) == 0
    assert aifgraph.load("in.json") == aifgraph.load("other.json")
    assert Path("in.json").read_bytes() != before
    assert main(["check", "in.json", "--fix", "in.json", "--force"]) in (0, 1)
    assert main(["merge", "in.json", "other.json", "--prefer", "first", "-o", "other.json", "--force"]) == 0
    assert main(["show", "in.json", "-o", "in.txt", "--force"]) == 0
    assert main(["convert", "other.json", "in.ann"]) == 2
    assert main(["convert", "other.json", "in.ann", "--force"]) == 0
    assert {node.text for node in aifgraph.load("in.ann").propositions} == {
        node.text for node in aifgraph.load("other.json").propositions
    }


@pytest.mark.skipif(os.name != "posix", reason="asks for processes")
def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from aifgraph.files import new_file, new_folder\n"
        "with new_folder(Path(sys.argv[1], 'maps')) as folder, new_file(Path(sys.argv[1], 'a.json')) as file:\n"
        "    (folder / 'a').write_text('half'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    left = list(tmp_path.iterdir())
    assert len(left) == 2
    with new_file(tmp_path / "c.txt"):  # what is younger may be at work on another machine
        assert {*left} < {*tmp_path.iterdir()}
    remove_parts.cache_clear()
    for path in left:
        os.utime(path, (time.time() - 90_000,) * 2)
    (tmp_path / "c.txt").unlink()
    with new_folder(tmp_path / "maps") as folder:  # another run of this process is at work
        aifgraph.dump(aifgraph.load(FIRST), tmp_path / "b.json")
        (folder / "a").write_text("whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.json", "maps"]
    assert [path.read_text() for path in (tmp_path / "maps").iterdir()] == ["whole"]


def test_numbers_of_thousands_of_digits_are_errors(tmp_path: Path) -> None:
    digits = "9" * 5000
    with pytest.raises(aifgraph.LimitError):
        aifgraph.loads(f'{{"nodes": [{{"nodeID": {digits}, "type": "I", "text": "a"}}], "edges": []}}')
    with pytest.raises(aifgraph.InputError):
        aifgraph.GraphBuilder().proposition("a", extra={"x": 10**5000})
    for option in (f"rounds={digits}", f"min_overlap={digits}"):
        assert main(["compare", str(ANN), str(tmp_path), "--set", option]) == 2


@pytest.mark.parametrize("members", [1, "x", [{"text": "a", "data": "x"}], [1]])
def test_members_of_argdown_of_another_kind(members: object) -> None:
    document = json.dumps({"statements": {"a": {"members": members}}, "arguments": {}, "relations": []})
    assert len(aifgraph.loads(document, format="argdown-json").propositions) == 1


@pytest.mark.parametrize(
    "declared", ['<!ATTLIST edu q CDATA "x">', "<!ATTLIST edu q CDATA #IMPLIED>", '<!ENTITY a "x">']
)
def test_declarations_in_xml_are_refused(declared: str) -> None:
    text = '<arggraph id="a"><edu id="e">a</edu></arggraph>'
    with pytest.raises(aifgraph.LimitError):
        aifgraph.loads(f"<!DOCTYPE arggraph [{declared}]>{text}", format="microtexts")
    assert aifgraph.loads(f'<!DOCTYPE arggraph SYSTEM "arggraph.dtd">{text}', format="microtexts") is not None


@pytest.mark.parametrize("units", ["T1\tClaim " + ";".join(["0 50000"] * 4000), "T{}\tClaim 0 50000"])
def test_places_of_brat_that_overlap(units: str) -> None:
    lines = "".join(f"{units.format(number)}\ta\n" for number in range(4000 if "{}" in units else 1))
    tracemalloc.start()
    graph = read_input(Input("x.ann", lines.encode(), sibling=lambda _: b"a " * 25_000))
    assert tracemalloc.get_traced_memory()[1] < 50 << 20
    tracemalloc.stop()
    assert graph.notices
    with pytest.raises(aifgraph.LimitError):
        aifgraph.dumps(graph, format="brat")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_what_is_open_is_appended_to_and_a_file_is_replaced_whole(tmp_path: Path) -> None:
    shutil.copy(FIRST, tmp_path / "a.json")
    aifgraph_main = [sys.executable, "-m", "aifgraph"]
    for target in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "out"):
        (tmp_path / "out").unlink(missing_ok=True)
        (tmp_path / "out").symlink_to("/dev/stdout")
        log = tmp_path / "log.txt"
        log.write_text("The first line.\n")
        with log.open("a") as file:
            line = [*aifgraph_main, "convert", "a.json", target, "--to", "dot"]
            subprocess.run(line, cwd=tmp_path, stdout=file, stderr=subprocess.DEVNULL, check=True)
        assert log.read_text().startswith("The first line.\ndigraph"), target
    big = tmp_path / "big.json"
    big.write_text(" " * 1_000_000)
    line = [*aifgraph_main, "convert", "a.json", "/proc/self/cwd/big.json", "--force"]
    subprocess.run(line, cwd=tmp_path, check=True, capture_output=True)
    assert aifgraph.load(big) == aifgraph.load(tmp_path / "a.json").with_name(str(big))


@pytest.mark.parametrize("text", ["a;=1+1", 'a;"=1+1"', "a\t=cmd|' /C calc'!A0", "a,@x", ";'=x", ";''=x;'y", "=a;-1"])
def test_no_separator_begins_a_formula(text: str) -> None:
    formula = re.compile(r"[;,\t]\"*[=+@-]")
    assert not formula.search(as_csv(Table("", ("text",), [(text,)])))
    cell = tsv_cell(text)
    assert not formula.search(cell)
    assert tsv_text(cell) == " ".join(text.split())


@pytest.mark.skipif(os.name != "posix", reason="closes standard input")
@pytest.mark.parametrize("words", ["show -", "compare - -", "check -", "query {ann} -"])
def test_standard_input_that_is_closed_is_one_line(words: str) -> None:
    line = [sys.executable, "-m", "aifgraph", *words.format(ann=ANN).split()]
    done = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
