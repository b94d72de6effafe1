"""``load``, ``loads``, ``dump``, ``dumps``, ``from_dict``, ``to_dict``: ways in and out, options, defaults; files are
written whole or not at all, and only what is a plain file is replaced."""

import io
import json
import os
import stat
import threading
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

import aifgraph
from aifgraph import ArgumentGraph, GraphBuilder, OptionError, dump, dumps, load, loads
from aifgraph.errors import InputError, NotFoundError
from aifgraph.files import new_file, new_folder, write_atomic
from aifgraph.formats import FORMATS
from aifgraph.graph import SourceText, Span
from documents import FIXTURES
from formats.roundtrip import codes

NODES = [{"nodeID": "1", "text": "Masks help", "type": "I"}, {"nodeID": "2", "text": "RA", "type": "RA"}]
MAP = {"nodes": NODES, "edges": [{"edgeID": "3", "fromID": "2", "toID": "1"}], "locutions": []}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "nodeset1.json"
    path.write_text(json.dumps(MAP), encoding="utf-8")
    return path


def built(text: str | None = None) -> ArgumentGraph:
    build = GraphBuilder()
    said = build.locution("Ann Lee: Masks & more", speaker=build.participant("Ann", "Lee"), start="2021-11-11 21:50:00")
    claim = build.proposition("Masks & more")
    build.illocution(said, claim, "Asserting", schemes=["Asserting"])
    if text:
        build.source(SourceText(text, spans=(Span(claim, 0, 12),)))
    return build.graph()


def test_all_the_ways_in(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, before = load(path), json.dumps(MAP)
    assert load(str(path)) == load(MAP) == aifgraph.from_dict(MAP) == loads(json.dumps(MAP)) == plain
    assert loads(json.dumps(MAP).encode()) == loads(json.dumps(MAP).encode("utf-16")) == plain
    with path.open(encoding="utf-8") as text, path.open("rb") as binary:
        assert load(text) == load(binary) == plain
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes()), "utf-8"))
    assert load("-") == plain
    assert load(aifgraph.open_corpus(path.parent)["nodeset1"]) == plain
    with pytest.raises(TypeError):
        load(3)
    with pytest.raises(NotFoundError):
        load(path.with_name("nothing.json"))
    for place in (path.parent, path.parent / "no" / "such" / "folder.json"):
        with pytest.raises(InputError):
            dump(plain, place)
    assert json.dumps(MAP) == before


def test_all_the_ways_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = built()
    text, data = io.StringIO(), io.BytesIO()
    dump(graph, text)
    dump(graph, data)
    dump(graph, "-")
    assert data.getvalue().decode("utf-8") == text.getvalue() == capsys.readouterr().out == dumps(graph)
    with open(tmp_path / "map.json", "w", encoding="utf-8") as file:
        dump(graph, file)
    assert load(tmp_path / "map.json") == graph


def test_a_text_that_a_string_cannot_hold_is_not_dropped_silently(tmp_path: Path) -> None:
    graph = built("Masks & more")
    for write in (dumps, aifgraph.to_dict, lambda graph, format: dump(graph, io.StringIO(), format=format)):
        with pytest.warns(UserWarning, match="text"):
            write(graph, format="aif")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dumps(graph, format="xaif")
        dumps(built(), format="aif")
        dump(graph, tmp_path / "map.json", format="aif")
    assert load(tmp_path / "map.json") == graph


def test_a_fault_of_ours_is_no_error_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr("aifgraph.formats.aif.read_map", faulty)
    with pytest.raises(KeyError, match="ours"):
        load(MAP)


def test_a_document_is_copied_as_json_would_be() -> None:
    inner: dict[str, object] = {"b": (1, 2.5, None, True)}
    node = {"nodeID": 1, "text": "Masks help", "type": "I", "a": inner, "none": float("nan")}
    graph = aifgraph.from_dict({"nodes": [node], "edges": [], 5: "five"})  # type: ignore[dict-item]
    inner["b"] = "changed"
    assert graph["1"].extra == {"a": {"b": [1, 2.5, None, True]}, "none": None}
    assert graph.meta.aif == {"5": "five"}
    assert [notice.code for notice in graph.notices] == ["number-missing"]
    itself: dict[str, object] = {}
    itself["nodes"] = [itself]
    for document in (itself, {"nodes": {1, 2}}, {"nodes": [10**5000]}, {("a",): 1}):
        with pytest.raises(OptionError):
            aifgraph.from_dict(document)  # type: ignore[arg-type]


def test_the_default_format() -> None:
    """The one that a graph was read in, where it holds all of it; else xAIF: for ``dumps``, ``dump``, ``to_dict``."""

    def form(graph: ArgumentGraph) -> str:
        text, file = dumps(graph), io.StringIO()
        dump(graph, file)
        assert file.getvalue() == text
        assert loads(text) == graph
        if FORMATS[found := loads(text).meta.form].syntax == "json":
            assert json.loads(text) == aifgraph.to_dict(graph)
        return found

    aif = load(MAP)
    assert form(aif) == "aif"
    assert form(built()) == form(built("Masks & more")) == "xaif"
    assert form(loads(dumps(aif, format="turtle"))) == "turtle"
    assert form(aif.with_meta(source=SourceText("Masks help"))) == "xaif"
    drawn = loads(dumps(aif, format="graphml"))
    assert form(drawn) == "graphml"
    build = GraphBuilder(drawn)
    build.participant("Ann")
    assert form(build.graph()) == "graphml"


def test_the_format_that_a_suffix_promises(tmp_path: Path) -> None:
    for name, form in (("a.json", "xaif"), ("a.xaif", "xaif"), ("a.graphml", "graphml"), ("a.ann", "brat")):
        dump(built(), tmp_path / name)
        assert load(tmp_path / name).meta.form == form
    for name in ("map", "map.doc"):
        with pytest.raises(OptionError):
            dump(built(), tmp_path / name)
    with pytest.raises(OptionError):
        aifgraph.to_dict(built(), format="dot")


def test_the_text_beside(path: Path, tmp_path: Path) -> None:
    beside = path.with_suffix(".txt")
    beside.write_text("Masks <b>help</b>", encoding="utf-8")
    graph = load(path)
    assert (graph.meta.source.text, graph.meta.source.origin) == ("Masks help", "given")
    dump(graph, tmp_path / "whole.json")  # which holds the text, too
    assert load(tmp_path / "whole.json") == graph
    assert not (tmp_path / "whole.txt").exists()
    dump(graph, tmp_path / "copy.json", format="aif")
    assert (tmp_path / "copy.txt").read_text("utf-8") == "Masks help"
    assert load(tmp_path / "copy.json") == graph
    beside.write_bytes("Café".encode("cp1252"))
    assert (load(path).text, codes(load(path))) == ("Café", ["text-encoding"])
    beside.write_bytes("Grüße, 茶".encode("utf-16"))
    assert (load(path).text, codes(load(path))) == ("Grüße, 茶", [])


def test_a_text_beside_that_is_not_the_one_inside_is_said(path: Path) -> None:
    dump(built("Masks & more"), path)
    beside = path.with_suffix(".txt")
    for text, notices, spans in (("Masks & more", [], 1), ("Masks <b>more</b>", ["text-differs"], 0), (" ", [], 1)):
        beside.write_text(text, encoding="utf-8")
        graph = load(path)
        assert (codes(graph), len(graph.meta.source.spans)) == (notices, spans)


def test_a_text_that_lies_there_is_not_overwritten(tmp_path: Path) -> None:
    graph = load(MAP).with_meta(source=SourceText("Masks help"))
    (tmp_path / "map.txt").write_text("Another text", "utf-8")
    with pytest.raises(InputError):
        dump(graph, tmp_path / "map.json", format="aif")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["map.txt"]
    (tmp_path / "map.txt").write_text("Masks help", "utf-8")
    dump(graph, tmp_path / "map.json", format="aif")
    assert load(tmp_path / "map.json").text == "Masks help"


def test_options(path: Path) -> None:
    graph = load(path)
    assert "\n" not in dumps(graph, indent=None).strip()
    assert loads(dumps(graph, format="xaif", indent=4)) == graph
    essay = FIXTURES / "brat" / "essay.ann"
    assert load(essay, major="none").edges != load(essay).edges
    for wrong in ({"indnt": 2}, {"indent": "two"}):
        with pytest.raises((OptionError, TypeError)):
            dumps(graph, **wrong)
    for file, name in ((essay, "mayor"), (path, "major")):
        with pytest.raises(OptionError):
            load(file, **{name: "none"})


def test_half_surrogates_are_kept_in_json_and_spelt_elsewhere(tmp_path: Path) -> None:
    graph = loads('{"nodes": [{"nodeID": "1", "text": "half \\ud83d", "type": "I"}], "edges": []}')
    dump(graph, tmp_path / "map.mmd")
    assert "half" in (tmp_path / "map.mmd").read_text("utf-8")
    for name in ("aif", "xaif"):
        dump(graph, tmp_path / "map.json", format=name)
        assert load(tmp_path / "map.json")["1"].text == graph["1"].text


UNIX = pytest.mark.skipif(os.name == "nt", reason="modes, links and pipes of Unix")


@UNIX
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_its_target_is_written_with_its_mode(tmp_path: Path, there: bool) -> None:
    (tmp_path / "inner").mkdir()
    target, link = tmp_path / "inner" / "target.json", tmp_path / "link.json"
    if there:
        target.write_text("old")
        target.chmod(0o640)
        if os.geteuid() == 0:
            os.chown(target, 1234, 2345)
        before = target.stat()
    link.symlink_to("inner/target.json")
    write_atomic(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    if there:
        after = target.stat()
        assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert os.listdir(tmp_path / "inner") == ["target.json"]


@UNIX
def test_the_text_beside_a_map_is_no_link_out_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "maps/map.ann").write_text("T1\tClaim 0 6\tsecret\n")
    (tmp_path / "maps/map.txt").symlink_to("../secret.txt")
    (tmp_path / "maps/.env").write_text("secret")
    for target in ("../secret.txt", ".env"):
        (tmp_path / "maps/map.txt").unlink()
        (tmp_path / "maps/map.txt").symlink_to(target)
        with pytest.raises(InputError):
            aifgraph.load(tmp_path / "maps/map.ann")
    (tmp_path / "maps/map.txt").unlink()
    (tmp_path / "maps/text").write_text("secret")
    (tmp_path / "maps/map.txt").symlink_to("text")
    assert [node.text for node in aifgraph.load(tmp_path / "maps/map.ann").propositions] == ["secret"]


@UNIX
def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arrived: list[bytes] = []
    reader = threading.Thread(target=lambda: arrived.append(pipe.read_bytes()))
    reader.start()
    write_atomic(pipe, "through")
    reader.join(10)
    assert arrived == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("name", ["n" * 300, "nul\0", "half\ud800"])
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        write_atomic(tmp_path / name, "x")
    assert os.listdir(tmp_path) == []


def test_two_writers_do_not_share_their_parts(tmp_path: Path) -> None:
    place = tmp_path / "scores.json"
    with new_file(place) as first, new_file(place) as second:
        first.write(b"first")
        second.write(b"second")
    assert place.read_bytes() == b"first"
    with new_folder(tmp_path / "maps") as folder:
        (folder / "a").write_text("a")
    assert sorted(os.listdir(tmp_path)) == ["maps", "scores.json"]
    with pytest.raises(InputError), new_folder(tmp_path / "maps"):
        pass


def test_nothing_is_left_of_a_failed_write(tmp_path: Path) -> None:
    with suppress(RuntimeError), new_file(tmp_path / "scores.json") as file:
        file.write(b"half")
        raise RuntimeError
    assert os.listdir(tmp_path) == []
