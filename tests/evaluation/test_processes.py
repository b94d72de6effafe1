"""Several processes, also those of a Dask cluster: the numbers of one process, matching by meaning, too."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import joblib
import pytest

import aifgraph
from aifgraph.errors import OptionError
from aifgraph.evaluation.run import compare_corpora
from comparison.maps import letter_counts, reconstructed_pair

PAIRS = 8
OPTIONS = {"meaning": letter_counts, "min_meaning": 0.7, "chance": 3}


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders of maps with texts beside them, in which much is reconstructed."""
    for number in range(PAIRS):
        given = reconstructed_pair(number)
        for side in ("first", "second"):
            path = tmp_path / side / f"map{number}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(given[side]), encoding="utf-8")
            path.with_suffix(".txt").write_text(given[f"{side}_text"], encoding="utf-8")
    return tmp_path / "first", tmp_path / "second"


def test_the_maps_have_matches_by_meaning(corpora: tuple[Path, Path]) -> None:
    pairs = compare_corpora(*corpora, **OPTIONS).pairs
    assert any(pair.matches.propositions.by_meaning for pair in pairs)


@pytest.mark.slow
def test_two_processes_give_the_numbers_of_one(corpora: tuple[Path, Path]) -> None:
    assert compare_corpora(*corpora, **OPTIONS, jobs=2).to_dict() == compare_corpora(*corpora, **OPTIONS).to_dict()


@pytest.mark.slow
def test_a_dask_cluster_gives_the_numbers_of_one_process(corpora: tuple[Path, Path]) -> None:
    distributed = pytest.importorskip("distributed")
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        client.run(sys.path.append, str(Path(__file__).parents[1]))
        with joblib.parallel_config(backend="dask"):
            found = compare_corpora(*corpora, **OPTIONS, jobs=2)
    assert found.to_dict() == compare_corpora(*corpora, **OPTIONS).to_dict()


class Unpicklable:
    """A model that no other process can be given."""

    def __init__(self) -> None:
        self.file = sys.stdout

    def __call__(self, texts: list[str]) -> list[list[int]]:
        return letter_counts(texts)


def test_a_callable_that_cannot_travel_is_one_clear_error(corpora: tuple[Path, Path]) -> None:
    options = {**OPTIONS, "meaning": Unpicklable()}
    assert compare_corpora(*corpora, **options).macro.pairs == PAIRS
    with pytest.raises(OptionError, match="cannot be sent to other processes") as error:
        compare_corpora(*corpora, **options, jobs=2)
    assert "function of a module" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_notebook_says_how_many_matches_came_about_by_meaning() -> None:
    for seed in range(PAIRS):
        given = reconstructed_pair(seed)
        graphs = [aifgraph.loads(json.dumps(given[side])) for side in ("first", "second")]
        texts = {f"{side}_text": given[f"{side}_text"] for side in ("first", "second")}
        result = aifgraph.compare(*graphs, **texts, **OPTIONS)
        if result.to_dict()["alignment"]["propositions"]["by_meaning"]:
            assert "matches are by meaning, which is no agreement" in result._repr_html_()
            return
    pytest.fail("no pair has a match by meaning")
