"""The commands, scripts and examples of the docs, run as a reader would; mistakes that a type checker finds.

``python tests/test_docs.py`` writes what the commands print now into the pages.
"""

import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import aifgraph
from aifdb.conftest import server as server
from aifdb.loopback import Server
from aifgraph.cli import main
from documents import ROOT

#: Without those made of docstrings, whose examples run where they are written.
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if page.parent.name != "reference"]
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.S | re.M)
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.S | re.M)


#: The pages that everybody reads first; the commands of the others are run with the slow tests, in CI.
_FIRST = ("README.md", "start.md")


def sessions(page: Path) -> list[tuple[str, str]]:
    """The commands of a page, each with the output that the page shows (empty if none)."""
    blocks = _BLOCK.findall(page.read_text("utf-8"))
    parts = [part.partition("\n") for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
    return [(command, output) for command, _, output in parts]


def commands() -> list[Any]:
    """Page, command, and the output that the page shows."""
    return [
        pytest.param(page.name, command.strip(), output, marks=() if page.name in _FIRST else pytest.mark.slow)
        for page in PAGES
        for command, output in sessions(page)
    ]


def as_shown(output: str, pattern: str) -> str:
    """Return the output of a command as a page shows it: what the page leaves out stays left out."""
    lines = [line.rstrip() for line in output.splitlines()]
    shown = pattern.splitlines()
    gaps = [number for number, line in enumerate(shown) if line == "…"]
    if gaps:
        after = len(shown) - gaps[-1] - 1
        lines = [*lines[: gaps[0]], "…", *lines[len(lines) - after :]]
    return "\n".join(lines) + "\n"


def matches(output: str, pattern: str) -> bool:
    """Whether an output is what a page shows; a line ``…`` stands for any lines."""
    parts = (r"(?:.*\n)*?" if line == "…" else re.escape(line.rstrip()) + r" *\n" for line in pattern.splitlines())
    return bool(re.fullmatch("".join(parts), output))


def copy(place: Path) -> Path:
    """What a reader has after the set-up."""
    (place / "build").mkdir(parents=True)  # by the first command of start.md
    for name in ("fixtures", "docs"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    return place


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With what the commands of other pages made."""
    return copy(tmp_path_factory.mktemp("docs"))


@pytest.mark.parametrize(("page", "command", "output"), commands())
def test_command(
    page: str, command: str, output: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(folder)
    words = shlex.split(command)
    assert words[0] == "aifgraph", f"{page}: only aifgraph is run here, put other commands into a sh block"
    assert main(words[1:]) == 0, f"{page}: {command}"
    shown = capsys.readouterr().out
    assert not output.strip() or matches(shown, output), f"{page}: {command} shows\n{shown}"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["python.md", "compare-two-corpora.md", "convert-data-sets.md"])
def test_a_page_from_top_to_bottom(page: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All commands and examples of a job's page in a fresh clone, in the order of the page."""
    monkeypatch.chdir(copy(tmp_path / "clone"))
    server.has_corpus("FIRST", [1])
    server.has_corpus("SECOND", [2])
    server.paths["/list.php"] = (200, "text/html", b'{"corpora": [{"shortname": "FIRST", "title": "A corpus"}]}')
    names: dict[str, Any] = {}
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```", (ROOT / "docs" / page).read_text("utf-8"), re.S | re.M):
        if language == "python":
            test = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
            runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
            assert not runner.run(test, clear_globs=False).failed
            names = test.globs
            continue
        for command in re.findall(r"^(?:\$ )?((?:aifgraph|python) .*)", block, re.M):
            program, *words = shlex.split(command)
            if program == "aifgraph":
                assert main(words) == 0, command
            else:
                subprocess.run([sys.executable, *words], check=True, timeout=120, stdout=subprocess.DEVNULL)


def scripts() -> list[tuple[str, str]]:
    """Page and Python code that is no session (those with ``>>>`` are doctests)."""
    blocks = [(page.name, block) for page in PAGES for block in _PYTHON.findall(page.read_text("utf-8"))]
    return [(page, block) for page, block in blocks if not block.startswith(">>> ")]


@pytest.mark.parametrize(("page", "script"), scripts())
def test_script(page: str, script: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in re.findall(r"^import (\w+)", script, re.M):
        pytest.importorskip(module, reason=f"{page} has an example with {module}, which is not installed")
    monkeypatch.chdir(folder)
    exec(compile(script, page, "exec"), {})


def test_pages_are_linked() -> None:
    """Every link to a file in the repository leads to one; the reference is made with the site."""
    for page in PAGES:
        for target in re.findall(r"\]\(((?!reference/)[^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_names_are_there(page: Path) -> None:
    """Every name of the library and every file of its source that a page mentions."""
    text = page.read_text("utf-8")
    for name in re.findall(r"`aifgraph((?:\.\w+)+)", text):
        found: Any = aifgraph
        for part in name[1:].split("."):
            with suppress(ImportError):
                import_module(f"{found.__name__}.{part}")
            found = getattr(found, part)
    for file in re.findall(r"`((?:\w+/)+\w*\.py)`", text):
        assert any((root / file).is_file() for root in (ROOT / "src" / "aifgraph", ROOT, page.parent)), file


@pytest.mark.slow
def test_the_pipeline_runs(tmp_path: Path) -> None:
    pytest.importorskip("pandas")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "docs" / "examples" / "pipeline.py"), *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)

    missing = run()
    assert (missing.returncode, "Traceback" in missing.stderr) == (2, False)
    assert "usage: pipeline.py [-h] corpus folder" in missing.stderr
    done = run("fixtures/debates", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    errors = ("NoSuchFileError", "NoSuchNameError", "FormatError", "LimitError", "InputError", "OptionError")
    for said in ("50 maps", "200 OK", "400 Bad Request", *(f"{name}: " for name in errors)):
        assert said in done.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"masks.json", "map.graphml", "nodes.csv"}


def mypy(*arguments: str) -> str:
    """What mypy says, run from the root, with the cache that `make check` leaves there."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "pyproject.toml", *arguments]
    environment = {**os.environ, "MYPYPATH": "src"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)
    return done.stdout


@pytest.mark.slow
def test_a_wrong_option_fails_in_mypy(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    lines = {
        'compare("a", "b", relations="RA+CA", calculations=["PR", "transitions"])': "",
        'compare("a", {"nodes": []}, calculations="PR")': "",
        'compare("a", "b", matchin="greedy")': "matchin",
        'compare("a", "b", matching="optimall")': "matching",
        'compare("a", "b", relations=5)': "relations",
        'one: Comparison = compare("folder/", "folder/", measures="kirschner_graph")': "",
        'two: CorpusComparison = compare("folder/", "folder/")': "assignment",
        'both: CorpusComparison = compare_corpora("folder/", "folder/")': "",
        'compare(open_corpus("folder/"), open_corpus("folder/"))': "arg-type",
        'GraphBuilder().inference(["1"], "2", scheme="x")': "scheme",
    }
    script = tmp_path / "wrong.py"
    names = "Comparison, CorpusComparison, GraphBuilder, compare, compare_corpora, open_corpus"
    script.write_text(f"from aifgraph import {names}\n\n" + "\n".join(lines) + "\n")
    found = mypy(str(script))
    for number, message in enumerate(lines.values(), 3):
        said = [line for line in found.splitlines() if f"{script.name}:{number}: error" in line]
        assert bool(said) == bool(message), found
        assert message in " ".join(said)


@pytest.mark.slow
def test_the_documented_calls_are_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    for page in PAGES:
        examples = doctest.DocTestParser().get_examples(page.read_text("utf-8"))
        lines = "".join(f"{example.source.rstrip()}\n" for example in examples)
        (tmp_path / f"page_{page.stem.replace('-', '_').lower()}.py").write_text(lines, "utf-8")
    # Examples use a name twice, and numbers that may be undefined; what is called has to fit.
    loose = ["--no-strict-optional", "--allow-any-generics", "--disable-error-code=assignment"]
    loose += ["--disable-error-code=var-annotated"]
    assert mypy(*loose, *map(str, tmp_path.glob("*.py"))).startswith("Success")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "files", "shown"),
    [
        ("arct_negation.py", ["arct/instances.txt"] * 2 + ["arct/first.txt", "arct/second.txt"], "solved by no system"),
        ("ruarg_tfidf.py", ["ruarg/gold.tsv"] * 3, "TF-IDF"),
        ("aurc_token_or_sentence.py", ["aurc/run.json"] * 2, "sentence model"),
    ],
)
def test_examples_run(program: str, files: list[str], shown: str) -> None:
    pytest.importorskip("sklearn")
    paths = [str(ROOT / "fixtures" / "tasks" / file) for file in files]
    command = [sys.executable, "-B", str(ROOT / "examples" / program), *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert shown in done.stdout


def update() -> None:
    """Write what the commands print now into the ``console`` blocks of the pages; a line ``…`` is kept."""
    with TemporaryDirectory() as work:
        os.chdir(copy(Path(work) / "clone"))
        for page in PAGES:
            text = page.read_text("utf-8")
            for command, shown in sessions(page):
                printed = io.StringIO()
                with redirect_stdout(printed):
                    code = main(shlex.split(command)[1:])
                if code:
                    print(f"{page.name}: exit code {code} of {command}")
                elif shown.strip() and not matches(printed.getvalue(), shown):
                    new = as_shown(printed.getvalue(), shown)
                    text = text.replace(f"$ {command}\n{shown}", f"$ {command}\n{new}")
                    print(f"{page.name}: {command}")
            page.write_text(text, "utf-8")


if __name__ == "__main__":
    update()
