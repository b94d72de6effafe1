from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from aifgraph.errors import NotFoundError
from aifgraph.graph import Illocution, Scheme
from aifgraph.graph import schemes as catalogue
from aifgraph.graph.schemes import AmbiguousSchemeError


def test_by_id_and_by_name_on_letters_only() -> None:
    ids = {catalogue.scheme(key).id for key in (91, "91", "PureQuestioning", "pure questioning", "Pure-Questioning")}
    assert ids == {"91"}


@pytest.mark.parametrize("name", ["Popular Opinion", "Ad hominem", "Gradualism", "reframe"])
def test_shared_names_say_so(name: str) -> None:
    with pytest.raises(AmbiguousSchemeError, match="2 schemes are called") as caught:
        catalogue.scheme(name)
    assert all(row.id in str(caught.value) for row in catalogue.named(name))
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_the_node_type_tells_shared_names_apart() -> None:
    assert catalogue.scheme("Ad hominem", "CA").id == "172"
    with pytest.raises(NotFoundError):
        catalogue.scheme("Asserting", "RA")
    with pytest.raises(NotFoundError):
        catalogue.scheme("no such scheme at all")


def test_defaults_are_of_their_own_kind() -> None:
    for kind, scheme in catalogue.DEFAULTS.items():
        assert catalogue.scheme(scheme.id or "", kind).name == scheme.name


def test_kinds_of_schemes_with_an_odd_id() -> None:
    assert catalogue.kinds_of(Scheme("74", "Asserting")) == {"YA"}
    # An id that means something else than the name: the name is what people read.
    assert catalogue.kinds_of(Scheme("72", "Asserting")) == {"YA"}
    assert catalogue.kinds_of(Scheme("99999", None)) == frozenset()


@pytest.mark.parametrize(
    ("text", "scheme", "label"),
    [
        ("Pure Questioning", "Asserting", "Pure Questioning"),
        (" Arguing ", None, "Arguing"),
        ("", "Asserting", "Asserting"),
        ("ya", "Asserting", "Asserting"),
        ("YA_3f9C", "Asserting", "Asserting"),
        ("YA_", "Asserting", "YA_"),
        ("YA_xyz", "Asserting", "YA_xyz"),
        ("YA_3f9c", None, "YA"),
        ("", None, "YA"),
    ],
)
def test_the_label_of_an_illocution(text: str, scheme: str | None, label: str) -> None:
    schemes = (Scheme("74", scheme),) if scheme else ()
    assert catalogue.label_of(Illocution("1", text, schemes)) == label


@pytest.mark.data
def test_the_whole_catalogue(shared_data: Path) -> None:
    rows = json.loads((shared_data / "schemes" / "schemes-aifdb.json").read_text("utf-8"))
    listed = rows["schemes"] if isinstance(rows, dict) else rows
    given = {(str(row["schemeID"]), row["name"], int(row["schemeTypeID"])) for row in listed}
    assert {(row.id, row.name, row.type_id) for row in catalogue.catalogue().values()} == given
