"""SemEval-2018 task 12, argument reasoning comprehension: which of two warrants leads from reason to claim?"""

from aifgraph.datasets.arct import Instance
from aifgraph.tasks.arct.instances import (
    STATUSES,
    Answers,
    double,
    opposites,
    predict,
    read_answers,
    read_instances,
    read_systems,
    without,
    write_instances,
)
from aifgraph.tasks.arct.score import (
    Difficulty,
    Ranking,
    difficulty,
    ranking,
    significance,
    stats,
)

__all__ = [
    "STATUSES",
    "Answers",
    "Difficulty",
    "Instance",
    "Ranking",
    "difficulty",
    "double",
    "opposites",
    "predict",
    "ranking",
    "read_answers",
    "read_instances",
    "read_systems",
    "significance",
    "stats",
    "without",
    "write_instances",
]
