"""Three annotators, of which the third did half of the texts."""

import json
import shutil
from pathlib import Path

import pytest

from comparison.maps import changed
from evaluation.small_corpora import make_corpora


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """ann, ben, and cleo, who did the last four of eight texts, as ann with some changed."""
    ann, ben = make_corpora(tmp_path_factory.mktemp("three"), 8)
    cleo = ann.parent / "cleo"
    cleo.mkdir()
    for number in range(4, 8):
        document = json.loads((ann / f"map{number}.json").read_text("utf-8"))
        (cleo / f"map{number}.json").write_text(json.dumps(changed(document, number, 0.3)), "utf-8")
        shutil.copy(ann / f"map{number}.txt", cleo)
    return {"ann": ann, "ben": ben, "cleo": cleo}
