"""What two analyses disagree about, one disagreement a row: ``facts`` → ``find`` → ``rows`` → ``differences``."""

from aifgraph.comparison.differences.differences import Differences, differences
from aifgraph.comparison.differences.facts import Fact, Facts, Status, facts_of, status_of
from aifgraph.comparison.differences.rows import (
    GROUPS,
    KINDS,
    VERBS,
    Difference,
    DifferenceGroup,
    NodeNumber,
    Phrase,
    RowWriter,
)

__all__ = [
    "GROUPS",
    "KINDS",
    "VERBS",
    "Difference",
    "DifferenceGroup",
    "Differences",
    "Fact",
    "Facts",
    "NodeNumber",
    "Phrase",
    "RowWriter",
    "Status",
    "differences",
    "facts_of",
    "status_of",
]
