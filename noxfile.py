"""The tests on every Python and with other versions of what we depend on: ``nox``, or one session: ``nox -s lowest``.

``nox --list`` shows the sessions. A Python that is not there is skipped. What follows ``--`` goes to pytest:
``nox -s tests-3.13 -- tests/graph``. Without it, all but the slow tests run.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nox

nox.options.default_venv_backend = "uv"
nox.options.error_on_missing_interpreters = False
nox.options.download_python = "never"
nox.options.sessions = ["tests", "lowest", "bare", "permissive", "release"]

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LOWEST = PYTHONS[0]
ROOT = Path(__file__).parent


def run_tests(session: nox.Session, *options: str) -> None:
    """Run pytest on what is installed in the session."""
    session.run("pytest", "-p", "no:cacheprovider", *options, *(session.posargs or ("-m", "not slow")))


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Every Python, with the highest versions of all dependencies."""
    session.install("--upgrade", "-e", ".[test]")
    run_tests(session)


@nox.session(python=LOWEST)
def lowest(session: nox.Session) -> None:
    """The lowest declared versions of all dependencies, on the lowest Python."""
    pinned = Path(session.create_tmp()) / "lowest.txt"
    session.run(
        "uv", "pip", "compile", "--quiet", "--resolution", "lowest-direct", "--extra", "test", "--python-version",
        LOWEST, "--output-file", str(pinned), "pyproject.toml", external=True,
    )  # fmt: skip
    session.install("-r", str(pinned))
    session.install("--no-deps", "-e", ".")
    # Old versions warn of what newer ones of their own dependencies have deprecated.
    quiet = ("-W", "ignore::DeprecationWarning", "-W", "ignore::PendingDeprecationWarning")
    run_tests(session, *quiet)


@nox.session(python=LOWEST)
def bare(session: nox.Session) -> None:
    """No extra: what needs one says so by its name, and everything else works."""
    session.install("-e", ".", "pytest", "hypothesis", "jsonschema")
    session.env["AIFGRAPH_WITHOUT_EXTRAS"] = "1"
    session.run("pytest", "-p", "no:cacheprovider", *(session.posargs or ("-m", "not slow", "tests")))


@nox.session(python=LOWEST)
def permissive(session: nox.Session) -> None:
    """Without the dependency under the GPL, installed as docs/dependencies.md says: complete, and the same numbers."""
    copy = Path(session.create_tmp()) / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    ignored = shutil.ignore_patterns(".*", "node_modules", "dist", "__pycache__")
    shutil.copytree(ROOT, copy, ignore=ignored)
    declared = copy / "pyproject.toml"
    lines = declared.read_text("utf-8").splitlines(keepends=True)
    declared.write_text("".join(line for line in lines if '"python-Levenshtein' not in line), "utf-8")
    session.install(str(copy), "pip")
    session.run("python", "-m", "pip", "check")
    session.run("python", "-c", "import importlib.util as u; assert u.find_spec('Levenshtein') is None")
    debate = [str(ROOT / "fixtures" / "debate" / name) for name in ("first.json", "second.json")]
    line = str(session.run("aifgraph", "compare", *debate, silent=True)).splitlines()[0]
    if not line.startswith("CASS-κ 0.914 (argument 0.839, dialogue 0.931)   CASS-F1 0.919"):
        session.error(f"other numbers than with python-Levenshtein: {line}")


@nox.session(python=PYTHONS)
def same_bytes(session: nox.Session) -> None:
    """Every format and command writes the same bytes on every Python: each is held against those that ran before."""
    session.install("-e", ".[test]")
    folder = ROOT / "build" / "bytes"
    shutil.rmtree(folder / "work", ignore_errors=True)
    (folder / "work").mkdir(parents=True)
    found = folder / f"{session.python}.json"
    with session.chdir(ROOT / "tests"), found.open("w", encoding="utf-8") as out:
        session.run("python", "-W", "ignore", "-m", "contract.every_output", str(folder / "work"), stdout=out)
    digests = json.loads(found.read_text("utf-8"))
    for other in sorted(folder.glob("*.json")):
        others = json.loads(other.read_text("utf-8"))
        if differ := sorted(name for name in digests.keys() | others.keys() if digests.get(name) != others.get(name)):
            session.error(f"other bytes than on {other.stem}: {differ[:20]}")


@nox.session(python=PYTHONS)
@nox.parametrize("kind", ["wheel", "sdist"])
def release(session: nox.Session, kind: str) -> None:
    """What ``make dist`` built, installed where nothing else is, and tried."""
    (built,) = (ROOT / "dist").glob("*.whl" if kind == "wheel" else "*.tar.gz")
    session.install(str(built), "pip")
    session.run("python", "-m", "pip", "check")
    session.chdir(session.create_tmp())
    session.run("aifgraph", "--version")
    session.run(
        "aifgraph", "compare", *(str(ROOT / "fixtures" / "debate" / f"{name}.json") for name in ("first", "second"))
    )
    session.run("aifgraph", "compare", *(str(ROOT / "fixtures" / "debates" / name) for name in ("ann", "ben")))
