"""The public surface: light to import, flat, sorted, without circles; errors that travel between processes."""

import ast
import inspect
import pickle
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args, get_type_hints, is_typeddict

import networkx
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import aifgraph
from aifgraph import errors
from documents import ROOT, compared_debate

HEAVY = {"rdflib", "networkx", "requests", "jinja2", "joblib", "numpy", "scipy", "pandas", "pydantic"}
HEAVY |= {"rapidfuzz", "segeval", "click"}


def imported_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(' '.join(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {*found.stdout.split()}


def test_loading_a_map_needs_nothing_heavy() -> None:
    statement = 'import aifgraph; aifgraph.loads(\'{"nodes": [], "edges": []}\')'
    assert not imported_by(statement) & HEAVY


def test_comparing_two_maps_needs_no_numpy() -> None:
    maps = ["fixtures/debate/first.json", "fixtures/debate/second.json"]
    statement = f"from aifgraph.cli import main; import os; main(['compare', *{maps}, '-o', os.devnull])"
    assert "numpy" not in imported_by(statement)


def test_a_worker_watches_for_its_parent_before_it_imports_what_takes_long() -> None:
    found = imported_by("import aifgraph.evaluation.processes")
    assert not {"aifgraph.comparison", "aifgraph.corpus", "aifgraph.evaluation.run"} & found


def test_the_names_are_there() -> None:
    assert len(set(aifgraph.__all__)) == len(aifgraph.__all__)
    for name in aifgraph.__all__:
        assert getattr(aifgraph, name) is not None
        assert name in dir(aifgraph)
    assert not hasattr(compared_debate(), "no_such_name")
    with pytest.raises(AttributeError, match="no_such_name"):
        aifgraph.no_such_name  # noqa: B018


def test_type_checkers_know_the_names_that_there_are() -> None:
    """What is imported for types is what the table of homes has, by the same module."""
    body = ast.parse(Path(aifgraph.__file__).read_text("utf-8")).body
    imports = next(node.body for node in body if isinstance(node, ast.If))
    typed = {alias.name: node.module for node in imports if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert typed == aifgraph._HOME | dict.fromkeys(aifgraph._PACKAGES, "aifgraph")


#: What a study calls. Whatever these take or give can be written in an annotation.
MAIN = "load loads compare compare_corpora evaluate agreement open_corpus pair"


def test_the_classes_that_signatures_name_are_public() -> None:
    classes = {
        found
        for name in MAIN.split()
        for note in get_type_hints(inspect.unwrap(getattr(aifgraph, name))).values()
        for found in (note, *get_args(note))
        if isinstance(found, type)
        and found.__module__.startswith("aifgraph.")
        and not is_typeddict(found)
        and not getattr(found, "_is_protocol", False)
    }
    assert {"ArgumentGraph", "Corpus", "CorpusComparison"} <= {found.__name__ for found in classes}
    assert sorted(found.__name__ for found in classes if not hasattr(aifgraph, found.__name__)) == []


def tree(root: type[errors.AifgraphError]) -> list[type[errors.AifgraphError]]:
    return [root, *(each for child in root.__subclasses__() for each in tree(child))]


@pytest.mark.parametrize("kind", tree(errors.AifgraphError), ids=lambda kind: kind.__name__)
def test_errors_travel(kind: type[errors.AifgraphError]) -> None:
    error = kind("the nodes\nare gone", where="map.json", remedy="find them")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (again.what, again.where, again.remedy) == (error.what, "map.json", "find them")
    assert str(again) == str(error) == "map.json: the nodes are gone; find them"


def test_at_puts_the_place_in_front() -> None:
    error = errors.FormatError("no", where="node 3").at("map.json")
    assert str(error) == "map.json, node 3: no"
    assert "pip install 'aifgraph[frames]'" in str(errors.MissingExtraError.of("pandas", "frames"))


def test_no_files_import_each_other_in_a_circle() -> None:
    """But under ``TYPE_CHECKING``, inside functions, and from the façade."""
    package = Path(aifgraph.__file__).parent
    bodies = {}
    for path in package.rglob("*.py"):
        name = ".".join(("aifgraph", *path.relative_to(package).with_suffix("").parts))
        bodies[name.removesuffix(".__init__")] = ast.parse(path.read_text("utf-8")).body
    arrows = networkx.DiGraph()
    for module, body in bodies.items():
        for node in body:
            for alias in node.names if isinstance(node, ast.ImportFrom) and node.module in bodies else ():
                inner = f"{node.module}.{alias.name}"
                arrows.add_edge(module, inner if inner in bodies else node.module)
    arrows.remove_node("aifgraph")
    assert len(arrows) > 100
    assert [sorted(circle) for circle in networkx.strongly_connected_components(arrows) if len(circle) > 1] == []


def test_tools_can_read_the_types() -> None:
    owners = [getattr(aifgraph, name) for name in aifgraph.__all__]
    functions = [owner for owner in owners if inspect.isfunction(owner)]
    for owner in filter(inspect.isclass, owners):
        functions += [verb for name, verb in vars(owner).items() if inspect.isfunction(verb) and name[0] != "_"]
    for function in functions:
        get_type_hints(function)


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_lock_of_ci_has_every_dependency() -> None:
    lock = {
        canonicalize_name(requirement.name): requirement.specifier
        for line in (ROOT / "ci-lock.txt").read_text("utf-8").splitlines()
        if not line.lstrip().startswith("#")
        for requirement in [Requirement(line)]
    }
    for lines in [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]:
        for requirement in map(Requirement, lines):
            if requirement.name == "aifgraph":
                continue
            (pinned,) = lock[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(pinned.version), f"{requirement}: run make lock"
