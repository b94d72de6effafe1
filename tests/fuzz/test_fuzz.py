"""A first taste of the fuzzer, and that it tries every reader, data set and command."""

import pytest

from fuzz import commands, seeds
from fuzz.attempt import Attempt, attempt_of, tried

pytest.importorskip("fcntl", reason="the fuzzer needs an alarm")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_only_errors_of_the_library_come_out() -> None:
    outcomes = {number: tried(attempt_of(17, number)) for number in range(50)}
    assert {number: outcome for number, outcome in outcomes.items() if outcome.startswith("CRASH")} == {}
    assert {"read", "exit 0"} <= set(outcomes.values())


def test_every_command_is_tried() -> None:
    lines = [line for _, line in commands.LINES]
    missing = {name for name in commands.all_commands() if not any(f"{line} ".startswith(f"{name} ") for line in lines)}
    assert missing == {"fetch"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_undamaged_seeds_are_no_usage_errors() -> None:
    """What a command is given before any change is what it takes: else only its first check would ever be tried."""
    refused = set()
    for role, line in commands.LINES:
        given = seeds.of("aif" if role == "map" else role)[:8]
        if not {tried(Attempt("command", line, role, *seed, "0/0")) for seed in given} & {"exit 0", "exit 1"}:
            refused.add(line)
    assert refused == {"convert FILE FILE", "show FILE --format json -o FILE"}  # outputs that are inputs
