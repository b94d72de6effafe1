"""``aifgraph task``: three shared tasks, scored as their papers do."""

from __future__ import annotations

import click

from aifgraph.cli.task_arct import arct
from aifgraph.cli.task_aurc import aurc
from aifgraph.cli.task_ruarg import ruarg


@click.group()
def task() -> None:
    """Score, count, check and start on three shared tasks.

    \b
    Examples:
      aifgraph task ruarg score gold.tsv predicted.tsv
      aifgraph task arct significance truth.txt answers/*.txt --rounds 10000 --seed 1
      aifgraph task aurc score run1.json run2.json --token-gold run1.json --seed 1
    """


for _command in (ruarg, arct, aurc):
    task.add_command(_command)
