"""``aifgraph task``: three shared tasks, scored as their papers do."""

from __future__ import annotations

from typing import ClassVar

from aifgraph.cli.command import CommandGroup
from aifgraph.cli.task_arct import Arct
from aifgraph.cli.task_aurc import Aurc
from aifgraph.cli.task_ruarg import RuArg


class Task(CommandGroup):
    """Score three shared tasks, count their data, check it, and get baselines: ruarg, arct, aurc.

    \b
    Examples:
      aifgraph task ruarg score gold.tsv predicted.tsv
      aifgraph task arct significance truth.txt answers/*.txt --rounds 10000 --seed 1
      aifgraph task aurc score run1.json run2.json --token-gold run1.json --seed 1
    """

    commands: ClassVar = {"ruarg": RuArg, "arct": Arct, "aurc": Aurc}
