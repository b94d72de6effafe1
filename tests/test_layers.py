"""The arrows between modules, every one of them: no circles, and what points upwards is listed in one place.

Counted are all imports, those inside functions and those for type checking alone, and the tables that name a class as
``module:Class``. The upward imports that are allowed stand in ``pyproject.toml``, under ``ignore_imports``.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import aifgraph

grimp = pytest.importorskip("grimp", reason="needs import-linter (the extra dev)")

PACKAGE = Path(aifgraph.__file__).parent
PROJECT = Path(__file__).parents[1] / "pyproject.toml"

#: Modules that may import by name: each of them reads a table of its own or of a user.
BY_NAME = {"__init__.py", "cli/group.py", "comparison/measures/registry.py", "datasets/__init__.py"} | {
    "formats/registry.py",  # entry points of other packages name a class the same way
    "tasks/textmodel.py",
    "text/similarity.py",
}

Arrows = dict[str, set[str]]


@cache
def _imports() -> Arrows:
    graph = grimp.build_graph("aifgraph", cache_dir=None)
    return {name: set(graph.find_modules_directly_imported_by(name)) for name in graph.modules}


@cache
def _tree(module: str) -> ast.Module:
    plain = PACKAGE.joinpath(*module.split(".")[1:])
    file = plain / "__init__.py" if plain.is_dir() else plain.with_suffix(".py")
    return ast.parse(file.read_text("utf-8"))


def _named_in_tables(module: str) -> Iterator[str]:
    """What a module names as ``module:Class`` in a string, which an import by name follows."""
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            match = re.fullmatch(r"(aifgraph(?:\.\w+)+):\w+", node.value)
            if match:
                yield match[1]


def _at_module_level(module: str) -> set[str]:
    """What a module imports outside functions, for type checking alone included."""
    imported: set[str] = set()

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                imported.update(alias.name for alias in child.names)
            elif isinstance(child, ast.ImportFrom) and child.module:
                imported.update(f"{child.module}.{alias.name}" for alias in child.names)
                imported.add(child.module)
            elif not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                visit(child)

    visit(_tree(module))
    return imported


def _allowed() -> set[tuple[str, str]]:
    contract = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["importlinter"]["contracts"][0]
    source_and_target = (entry.split(" -> ") for entry in contract["ignore_imports"])
    return {(source, target) for source, target in source_and_target}


def _circles(arrows: Mapping[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one module (Tarjan 1972)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    circles: list[list[str]] = []

    def visit(module: str) -> None:
        order[module] = lowest[module] = len(order)
        stack.append(module)
        for target in sorted(arrows[module]):
            if target not in order:
                visit(target)
                lowest[module] = min(lowest[module], lowest[target])
            elif target in stack:
                lowest[module] = min(lowest[module], order[target])
        if lowest[module] == order[module]:
            place = stack.index(module)
            circle = sorted(stack[place:])
            del stack[place:]
            if len(circle) > 1:
                circles.append(circle)

    for module in sorted(arrows):
        if module not in order:
            visit(module)
    return circles


def test_a_circle_is_noticed() -> None:
    assert _circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [["b", "c"]]


@pytest.mark.slow
def test_modules_import_each_other_in_no_circle() -> None:
    allowed = _allowed()
    arrows = {
        module: {target for target in targets | set(_named_in_tables(module)) if (module, target) not in allowed}
        for module, targets in _imports().items()
    }
    arrows = {module: targets & arrows.keys() for module, targets in arrows.items()}
    assert _circles(arrows) == []


@pytest.mark.parametrize("arrow", sorted(_allowed()), ids=" -> ".join)
def test_what_points_upwards_is_an_import_inside_a_function(arrow: tuple[str, str]) -> None:
    module, target = arrow
    assert target in _imports()[module], "no longer imported: take it off the list"
    assert target not in _at_module_level(module)


def test_few_modules_import_by_name() -> None:
    importers = {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        if re.search(r"import_module|__import__", file.read_text("utf-8"))
    }
    assert importers <= BY_NAME
