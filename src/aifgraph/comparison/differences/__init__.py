"""What two analyses disagree about, one disagreement a row: nodes are grouped, costs counted, rows written in words."""

from aifgraph.comparison.differences.find import Kind, NodeNumber
from aifgraph.comparison.differences.rows import (
    Difference,
    Differences,
    cell_table,
    entry_table,
    find_differences,
)

__all__ = ["Difference", "Differences", "Kind", "NodeNumber", "cell_table", "entry_table", "find_differences"]
