"""A first taste of the fuzzer, and that it does what it says."""

from __future__ import annotations

import pytest

from fuzz import attempt as fuzzing
from fuzz.attempt import Attempt, Outcome, attempt_of, minimised, tried

pytest.importorskip("fcntl", reason="the fuzzer needs an alarm")


def test_attempts_are_the_same_for_the_same_seed() -> None:
    assert [attempt_of(3, number) for number in range(50)] == [attempt_of(3, number) for number in range(50)]
    assert attempt_of(3, 1) != attempt_of(4, 1)


@pytest.mark.filterwarnings("ignore")
def test_only_documented_errors_come_out() -> None:
    outcomes = {number: tried(attempt_of(17, number)) for number in range(150)}
    assert {number: outcome.site for number, outcome in outcomes.items() if outcome.site} == {}
    assert any(outcome.kind == "read" for outcome in outcomes.values())


def test_what_is_found_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing, "tried", lambda given: Outcome("CRASH", "here") if b"!" in given.data else Outcome(""))
    assert minimised(Attempt("", "a.json", b"some text! and more"), "here").data == b"!"
