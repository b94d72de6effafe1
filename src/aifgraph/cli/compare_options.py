"""The options of a comparison on the command line, the same for every command that compares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from aifgraph.comparison.calculations.registry import CALCULATIONS, DEFAULT
from aifgraph.comparison.options import Options
from aifgraph.graph.kinds import RELATIONS

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--matching",
        type=click.Choice(["greedy", "optimal"]),
        default="greedy",
        show_default=True,
        help="One-to-one matching: highest similarity first, or the best total (needs scipy).",
    ),
    click.option(
        "--granularity",
        type=click.Choice(["merge", "strict"]),
        default="merge",
        show_default=True,
        help="Whether parts join the whole that the other side left in one piece.",
    ),
    click.option(
        "--gate/--no-gate",
        default=True,
        show_default=True,
        help="Whether positions in the text decide which nodes may match.",
    ),
    click.option(
        "--min-overlap",
        type=float,
        default=0.5,
        show_default=True,
        metavar="0..1",
        help="Words that matched nodes share, of the smaller.",
    ),
    click.option(
        "--min-similarity",
        type=float,
        default=0.5,
        show_default=True,
        metavar="0..1",
        help="Similarity of matched nodes where a position is unknown.",
    ),
    click.option(
        "--layers",
        type=click.Choice(["common", "all"]),
        default="common",
        show_default=True,
        help="Whether a layer that one side lacks counts.",
    ),
    click.option(
        "--relations",
        default="+".join(RELATIONS),
        show_default=True,
        metavar="TYPES",
        help="Relation types that take part, joined by +.",
    ),
    click.option(
        "--calculations",
        default="",
        metavar="NAMES",
        help=f"Calculations, joined by +: {', '.join(short for short, *_ in CALCULATIONS.values())} (or whole names). "
        "Default: all but AS.",
    ),
    click.option(
        "--segmentation",
        type=click.Choice(["own", "segeval"]),
        default="own",
        show_default=True,
        help="Engine of the segmentation measures.",
    ),
)


def compare_options(command: F) -> F:
    """All options of ``Options``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def options_from(given: dict[str, Any]) -> Options:
    """Take the comparison's options out of a command's parameters."""
    short = {code.lower(): name for name, (code, *_) in CALCULATIONS.items()}
    names = [
        short.get(each.strip().lower(), each.strip()) for each in given.pop("calculations").split("+") if each.strip()
    ]
    types = [each.strip().upper() for each in given.pop("relations").split("+") if each.strip()]
    taken = {
        key: given.pop(key)
        for key in ("matching", "granularity", "gate", "min_overlap", "min_similarity", "layers", "segmentation")
    }
    return Options(calculations=tuple(names) or DEFAULT, relations=tuple(types), **taken)
