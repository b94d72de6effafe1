"""The pages of a corpus, linked from an index; the committed bundle; hostile texts are text in every HTML output."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from aifgraph.cli import main
from aifgraph.report.graphviz import installed
from report.hostile_pages import pages


def test_pages_of_a_corpus(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ann, ben = fixtures / "debates" / "ann", fixtures / "debates" / "ben"
    out = tmp_path / "pages"
    arguments = ["compare", str(ann), str(ben), "--format", "html", "-o", str(out)]
    assert main(arguments) == 0
    (out / "pairs" / "99999.html").write_text("of a longer result")
    assert main(arguments) == 2
    assert "add --force" in capsys.readouterr().err
    assert main([*arguments, "--force"]) == 0
    index = (out / "index.html").read_text("utf-8")
    linked = re.findall(r'href="(pairs/\d{5}\.html)"', index)
    pages = sorted(path.relative_to(out).as_posix() for path in out.glob("pairs/*"))
    assert sorted(set(linked)) == pages
    assert pages
    page = (out / pages[0]).read_text("utf-8")
    assert 'href="../index.html"' in page
    assert 'src="../assets/report.js"' in page
    assert len(page) < 200_000
    assert (out / "assets" / "report.js").is_file()


def test_a_corpus_needs_a_folder(fixtures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = str(fixtures / "debates" / "ann")
    assert main(["compare", corpus, corpus, "--format", "html"]) == 2
    assert "-o FOLDER" in capsys.readouterr().err


def test_a_pair_is_a_file(fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (str(fixtures / "debate" / name) for name in ("first.json", "second.json"))
    assert main(["compare", first, second, "--format", "html", "-o", str(tmp_path)]) == 2
    assert main(["compare", first, second, "--format", "html", "-o", str(tmp_path / "report.html")]) == 0
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")


def test_pages_with_intervals(fixtures: Path, tmp_path: Path) -> None:
    ann, ben = (str(fixtures / "debates" / name) for name in ("ann", "ben"))
    arguments = ["compare", ann, ben, "--format", "html", "--intervals", "--rounds", "50", "-o", str(tmp_path / "out")]
    assert main(arguments) == 0
    index = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "0.95 intervals" in index
    assert "|ci:percentile.0.95.50.0" in index


def test_a_folder_with_other_files_is_never_touched(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    corpus = str(fixtures / "debates" / "ann")
    assert main(["compare", corpus, corpus, "--format", "html", "--force", "-o", str(tmp_path)]) == 2
    assert "holds other files" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_name_of_a_file_never_becomes_a_folder(
    fixtures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = str(fixtures / "debates" / "ann")
    assert main(["compare", corpus, corpus, "--format", "html", "-o", str(tmp_path / "report.html")]) == 2
    assert "name a folder: --format html -o report" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_error_of_the_input_leaves_no_folder(fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "unknown.json").write_text('{"nodes": [], "edges": []}')
    corpus, out = str(fixtures / "debates" / "ann"), tmp_path / "out"
    assert main(["compare", corpus, str(tmp_path / "other"), "--format", "html", "-o", str(out)]) == 2
    assert not out.exists()


ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src" / "aifgraph" / "report" / "html" / "static"


def test_the_lock_names_versions_and_hashes_and_no_host() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert all(each["integrity"].startswith("sha512-") for each in packages.values())
    assert not [name for name, each in packages.items() if "resolved" in each]


def test_nothing_of_others_is_bundled() -> None:
    """A page is a copy of the bundle: what came from others would need its licence in every page."""
    assert "dependencies" not in json.loads((ROOT / "web" / "package.json").read_text())
    assert (STATIC / "report.js").stat().st_size < 120_000


def test_templates_can_be_read() -> None:
    templates = list((STATIC.parent / "templates").glob("*.j2"))
    assert templates
    assert not [path.name for path in templates for line in path.read_text("utf-8").splitlines() if len(line) > 160]


class _Found(HTMLParser):
    """Elements that only the hostile texts have: images, handlers of events, scripts that call them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._script = tag == "script" and dict(attrs).get("type") != "application/json"
        if tag == "img" or any(name.startswith("on") for name, _ in attrs):
            self.found.append(f"{tag} {attrs}"[:200])

    def handle_endtag(self, tag: str) -> None:
        self._script = False

    def handle_data(self, data: str) -> None:
        if self._script and "window.hits" in data:
            self.found.append(data[:200])


@pytest.mark.slow
@pytest.mark.skipif(not installed(), reason="needs Graphviz")
def test_everything_is_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("starlette", reason="needs aifgraph[web]")
    names = []
    for name, page in pages(tmp_path):
        parser = _Found()
        parser.feed(page)
        assert parser.found == [], name
        assert "window.hits" in page, f"{name}: nothing hostile is in it at all"
        names.append(name)
    capsys.readouterr()
    assert len(names) >= 11
