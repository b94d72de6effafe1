"""Find the differences of two analyses: group their nodes into rows, count costs, put rows into words."""

from aifgraph.comparison.differences.find import DifferenceKind, NodeNumber
from aifgraph.comparison.differences.rows import Difference, Differences, cell_table, entry_table, find_differences

__all__ = ["Difference", "DifferenceKind", "Differences", "NodeNumber", "cell_table", "entry_table", "find_differences"]
