"""What the forge reads is of the form that it expects, runs what people run here, and names no address of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).resolve().parents[1]
FORGE = ROOT / ".github"
FORMS = sorted((FORGE / "ISSUE_TEMPLATE").glob("[!c]*.yml"))

pytestmark = pytest.mark.skipif(not FORGE.is_dir(), reason="a source distribution has no .github")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-workflows", sorted((FORGE / "workflows").glob("*.yml"))),
        ("vendor.github-issue-forms", FORMS),
        ("vendor.github-issue-config", [FORGE / "ISSUE_TEMPLATE" / "config.yml"]),
        ("vendor.dependabot", [FORGE / "dependabot.yml"]),
        ("vendor.citation-file-format", [ROOT / "CITATION.cff"]),
    ],
)
def test_files_have_the_form_that_the_forge_expects(schema: str, files: list[Path]) -> None:
    pytest.importorskip("check_jsonschema", reason="needs check-jsonschema (the extra dev)")
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_before_a_commit_runs_what_make_check_runs() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    target = re.search(r"^check:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert target
    commands = [line.strip().removeprefix("$(BIN)/").split()[0] for line in target[1].splitlines()]
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    hooks = [hook["entry"].removeprefix(".venv/bin/").split()[0] for repo in config["repos"] for hook in repo["hooks"]]
    assert hooks == commands


def test_the_forge_tests_the_pythons_and_sessions_that_there_are() -> None:
    declared = (ROOT / "noxfile.py").read_text("utf-8")
    jobs = yaml.safe_load((FORGE / "workflows" / "tests.yml").read_text("utf-8"))["jobs"]
    pythons = re.search(r"PYTHONS = \((.*)\)", declared)
    assert pythons
    assert jobs["tests"]["strategy"]["matrix"]["python"] == re.findall(r'"([\d.]+)"', pythons[1])
    for session in jobs["versions"]["strategy"]["matrix"]["session"]:
        assert f"def {session}(session: nox.Session)" in declared


def test_a_wrong_number_is_asked_for_with_its_signature_and_both_maps() -> None:
    form = yaml.safe_load((FORGE / "ISSUE_TEMPLATE" / "number.yml").read_text("utf-8"))
    required = {part["id"] for part in form["body"] if part.get("validations", {}).get("required")}
    assert required >= {"signature", "maps"}


def test_no_address_that_does_not_exist() -> None:
    """There is no public repository, site or package yet: nothing may send people there."""
    files = [
        *FORGE.rglob("*.*"),
        ROOT / ".pre-commit-config.yaml",
        *(ROOT / name for name in ("README.md", "pyproject.toml")),
    ]
    ours = re.compile(
        r"(?:github\.com|github\.io|gitlab\.com|pypi\.org|readthedocs\.\w+)/[\w./-]*aifgraph", re.IGNORECASE
    )
    for file in files:
        if file.is_file():
            assert not ours.search(file.read_text("utf-8")), file


def test_one_version_everywhere() -> None:
    import aifgraph

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert heading
    assert citation["version"] == aifgraph.__version__
    assert heading[1] in (aifgraph.__version__, "Unreleased")
