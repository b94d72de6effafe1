"""Random work on one study, with ends in the middle: what was answered is there, whatever happened in between."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import aifgraph
from aifgraph.adjudication.decision_file import StaleError, read_decisions
from aifgraph.adjudication.finish import finish
from aifgraph.adjudication.study import Study
from aifgraph.comparison.options import Options
from aifgraph.corpus import open_corpus
from aifgraph.corpus.pairing import pair
from aifgraph.errors import InputError
from sampled import LONG

DEBATES = Path("fixtures/debates").resolve()


class StudyStates(RuleBasedStateMachine):
    """The model is what each row was last answered; the study is closed, killed and opened again as it comes."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="aifgraph-states-"))
        self.model: dict[tuple[int, str], dict[str, str]] = {}
        self.study = self._opened()

    def _opened(self) -> Study:
        sides = (open_corpus(DEBATES / side) for side in ("ann", "ben"))
        return Study(self.folder / "out", pair(*sides), Options())

    def _row(self, data: Any) -> tuple[int, str]:
        number = data.draw(st.sampled_from([at for at, each in enumerate(self.study.pairs) if each.decisions.rows()]))
        return number, data.draw(st.sampled_from(sorted(self.study.pairs[number].decisions.rows())))

    @rule(data=st.data(), note=st.sampled_from(["", "=1", "a\tb\nc", '"x"']))
    def decide(self, data: Any, note: str) -> None:
        number, row = self._row(data)
        choice = data.draw(st.sampled_from(["first", "second", "both", "neither", "keep", "drop", ""]))
        seen = self.model.get((number, row), {})
        try:
            answer = self.study.decide(number, row, choice, note=note, by="Cleo", seen=seen)
        except StaleError:
            raise
        except InputError:  # the kind of row takes no such decision: nothing is changed
            return
        self.model[number, row] = dict(answer)

    @rule(data=st.data())
    def decide_without_having_seen(self, data: Any) -> None:
        number, row = self._row(data)
        if self.model.get((number, row), {}).get("decision"):
            with pytest.raises(StaleError):
                self.study.decide(number, row, "", by="Ann", seen={"decision": "", "when": "2001"})

    @rule()
    def close_and_come_back(self) -> None:
        self.study.close()
        self.study = self._opened()

    @rule(cut=st.integers(1, 200))
    def come_back_after_a_kill_that_tore_the_log(self, cut: int) -> None:
        self.study.close()
        log = self.folder / "out" / "log.tsv"
        text = log.read_bytes()
        lines = text.splitlines(keepends=True)
        if len(lines) > 1:  # only what was being written is lost
            log.write_bytes(b"".join(lines[:-1]) + lines[-1][: -min(cut, len(lines[-1]))])
        self.study = self._opened()

    @rule()
    def finish_as_far_as_it_goes(self) -> None:
        finish(self.study)
        for number, each in enumerate(self.study.pairs):
            gold = self.folder / "out" / "gold" / f"{each.stem}.json"
            if gold.exists() and not each.decisions.progress().open:
                first, second = (aifgraph.load(DEBATES / side / f"{each.stem}.json") for side in ("ann", "ben"))
                differences = aifgraph.compare(first, second).differences()
                decisions = read_decisions(each.decisions.path.read_text("utf-8"), differences)
                merged = aifgraph.merge(first, second, decisions=decisions).graph
                assert aifgraph.compare(aifgraph.load(gold), merged).kappa == 1, number

    @invariant()
    def what_was_answered_is_there(self) -> None:
        if not hasattr(self, "study"):
            return
        for number, each in enumerate(self.study.pairs):
            rows = each.decisions.rows()
            for row, record in rows.items():
                answered = self.model.get((number, row), {})
                assert record["decision"] == answered.get("decision", "")
                assert record["note"] == answered.get("note", "")

    def teardown(self) -> None:
        if hasattr(self, "study"):
            self.study.close()
            shutil.rmtree(self.folder)


TestStudyStates = pytest.mark.slow(StudyStates.TestCase)
TestStudyStates.settings = settings(
    max_examples=15 if LONG else 4,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a run of it takes a second: nothing is made smaller
)
