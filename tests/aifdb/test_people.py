"""Who the people of AIFdb's locutions are: asked for once, kept with the maps, in RDF and uploads by their names."""

from __future__ import annotations

import json
from pathlib import Path

import aifgraph
from aifdb.loopback import Server
from aifgraph.aifdb import AIFdb
from aifgraph.cli import main


def dialogue(number: int, *people: str) -> bytes:
    """A map in which each person says something."""
    nodes = [{"nodeID": f"{number}{at}", "text": f"something {number} {at}", "type": "L"} for at in range(len(people))]
    records = [{"nodeID": node["nodeID"], "personID": who} for node, who in zip(nodes, people, strict=True)]
    return json.dumps({"nodes": nodes, "edges": [], "locutions": records}).encode()


def person(id_: str, first: str, last: str) -> tuple[int, str, bytes]:
    document = {"personID": id_, "firstName": first, "surname": last, "description": ""}
    return 200, "text/html", json.dumps(document).encode()


def ready(server: Server) -> None:
    server.paths |= {
        "/Small/nodesets": (200, "application/json", b'{"nodeSets": [1, 2]}'),
        "/json/1": (200, "text/html", dialogue(1, "7", "8")),
        "/json/2": (200, "text/html", dialogue(2, "7", "9", "7")),
        "/people/7": person("7", "Fiona", "Bruce"),
        "/people/8": (200, "text/html", b"No such person."),
        "/people/9": person("9", "Ann", ""),
    }


def names(graph: aifgraph.ArgumentGraph) -> list[str]:
    people = (graph.speaker_of(node) for node in graph.locutions)
    return [who.name if who else "" for who in people]


def test_people_are_asked_for_once_and_stand_with_the_corpus(server: Server, client: AIFdb, tmp_path: Path) -> None:
    ready(server)
    corpus = client.corpus("Small", tmp_path / "small")
    assert sorted(server.asked("/people")) == ["/people/7", "/people/8", "/people/9"]
    assert names(corpus["nodeset2"].load()) == ["Fiona Bruce", "Ann", "Fiona Bruce"]
    assert names(corpus["nodeset1"].load())[0] == "Fiona Bruce"
    said = next(str(notice) for notice in corpus.notices if "without a name" in str(notice))
    assert said.startswith("1 speakers without a name, on the server too")
    assert corpus.stats().nameless == {"8"}
    assert ("speakers without a name", 1) in corpus.stats().tables()[0].rows
    assert corpus.stats().to_dict()["speakers_without_name"] == 1
    report = aifgraph.dump(corpus["nodeset1"].load(), tmp_path / "map.ttl")
    assert (report.done, bool(report)) == ({"speakers without a name": 1}, False)
    assert not aifgraph.dump(corpus["nodeset2"].load(), tmp_path / "map.ttl").done
    before = len(server.requests)
    again = client.corpus("Small", tmp_path / "small")
    assert len(server.requests) == before
    assert names(again["nodeset2"].load()) == ["Fiona Bruce", "Ann", "Fiona Bruce"]
    assert names(aifgraph.load(tmp_path / "small" / "nodeset2.json")) == ["Fiona Bruce", "Ann", "Fiona Bruce"]


def test_names_go_into_uploads_rdf_and_packed_corpora(server: Server, client: AIFdb, tmp_path: Path) -> None:
    ready(server)
    graph = client.corpus("Small", tmp_path / "small")["nodeset2"].load()
    upload = json.loads(aifgraph.dumps(graph, format="upload"))
    assert {who["firstname"] for who in upload["participants"]} == {"Fiona", "Ann"}
    assert "Fiona" in aifgraph.dumps(graph, format="turtle")
    assert main(["pack", str(tmp_path / "small"), "-o", str(tmp_path / "small.zip")]) == 0
    assert names(aifgraph.open_corpus(tmp_path / "small.zip")["nodeset2"].load())[1] == "Ann"


def test_a_single_map_has_its_people_in_the_cache(server: Server, client: AIFdb) -> None:
    ready(server)
    for _ in range(2):
        assert names(client.nodeset(2)) == ["Fiona Bruce", "Ann", "Fiona Bruce"]
    assert len(server.asked("/people")) == 2


def test_a_server_that_fails_is_asked_again_in_the_next_run(server: Server, client: AIFdb, tmp_path: Path) -> None:
    ready(server)
    works = server.paths["/people/7"]
    server.paths["/people/7"] = (500, "text/html", b"broken")
    corpus = client.corpus("Small", tmp_path / "small")
    assert len(corpus) == 2
    server.paths["/people/7"] = works
    assert names(client.corpus("Small", tmp_path / "small")["nodeset2"].load())[0] == "Fiona Bruce"


def test_hostile_people(server: Server, client: AIFdb, tmp_path: Path) -> None:
    ready(server)
    server.paths["/json/1"] = (200, "text/html", dialogue(1, "../../etc/passwd", "-1", "9" * 30))
    server.paths["/people/7"] = (200, "text/html", b"[1, 2]")
    server.paths["/people/9"] = person("9", "A\x1b[2J\n" * 500, "\u202e")
    corpus = client.corpus("Small", tmp_path / "small")
    assert sorted(set(server.asked("/people"))) == ["/people/7", "/people/9"]
    assert len(corpus) == 2
    (tmp_path / "small" / "nodeset2.people").write_text("[]", "utf-8")
    assert main(["show", str(tmp_path / "small" / "nodeset2.json")]) == 2
