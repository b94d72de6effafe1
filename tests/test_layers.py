"""No circle of files among the imports, those inside functions counted; that arrows point down is import-linter's."""

from __future__ import annotations

import ast
from pathlib import Path

import networkx
import pytest

import aifgraph

PACKAGE = Path(aifgraph.__file__).parent


def _imports_for_types(tree: ast.Module) -> set[ast.AST]:
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    return {inner for test in tests for inner in ast.walk(test)}


@pytest.mark.slow
def test_no_files_import_each_other_in_a_circle() -> None:
    """``TYPE_CHECKING`` and the façade, which only registers places, aside."""
    grimp = pytest.importorskip("grimp", reason="needs import-linter (the extra dev)")
    graph = grimp.build_graph("aifgraph", cache_dir=None)
    arrows = networkx.DiGraph()
    for module in graph.modules - {"aifgraph"}:
        plain = PACKAGE.joinpath(*module.split(".")[1:])
        tree = ast.parse((plain / "__init__.py" if plain.is_dir() else plain.with_suffix(".py")).read_text("utf-8"))
        for_types = {node.lineno for node in _imports_for_types(tree) if isinstance(node, ast.ImportFrom | ast.Import)}
        for imported in graph.find_modules_directly_imported_by(module) - {"aifgraph"}:
            details = graph.get_import_details(importer=module, imported=imported)
            if any(detail["line_number"] not in for_types for detail in details):
                arrows.add_edge(module, imported)
    assert [sorted(circle) for circle in networkx.strongly_connected_components(arrows) if len(circle) > 1] == []
