from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from aifgraph import load, to_dict
from aifgraph.cli import main
from aifgraph.errors import OptionError
from aifgraph.evaluation.result_schemas import SCHEMAS, schema, schema_text
from aifgraph.evaluation.result_schemas import main as write_schemas
from aifgraph.formats.document_schemas import AifDocument, XaifDocument
from formats.roundtrip import fixture_files
from sampled import some_of

ROOT = Path(__file__).parents[2]
DEBATES = [str(ROOT / "fixtures" / "debates" / side) for side in ("ann", "ben")]
LEGAL = sorted((ROOT / "fixtures" / "rules").glob("*-legal.json"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_current(name: str) -> None:
    if tuple(map(int, version("pydantic").split(".")[:2])) < (2, 12):
        pytest.skip("an older pydantic writes the same schema in other words")
    file = ROOT / "schemas" / f"{name}.schema.json"
    assert file.read_text("utf-8") == schema_text(name), "run python -m aifgraph.evaluation.result_schemas schemas"


def test_written_by_one_command(tmp_path: Path) -> None:
    write_schemas(str(tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.schema.json" for name in SCHEMAS}
    with pytest.raises(OptionError, match="xaif"):
        schema("no such")


def test_what_is_written_here_keeps_to_them(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    (first, second, *_), folder = map(str, LEGAL), str(LEGAL[0].parent)
    for name, command in {
        "comparison": ["compare", first, second, "--chance", "2", "--items"],
        "findings": ["check", folder],
        "corpus-comparison": ["compare", *DEBATES, "--chance", "2", "--intervals", "--rounds", "5"],
    }.items():
        main([*command, "--format", "json", "-o", str(tmp_path / name)])
        document = json.loads((tmp_path / name).read_text("utf-8"))
        validator = jsonschema.Draft202012Validator(schema(name))
        validator.check_schema(validator.schema)
        validator.validate(document)
        for key in document.keys() & {"mean", "calculations", "macro"}:
            with pytest.raises(jsonschema.ValidationError):
                validator.validate({**document, key: 7})


def test_the_schema_itself_says_so() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    aif = jsonschema.Draft202012Validator(schema("aif"))
    aif.check_schema(aif.schema)
    for path in LEGAL:
        aif.validate(json.loads(path.read_text("utf-8")))
    node = {"nodeID": "1", "type": "I", "text": "Masks help"}
    aif.validate({"nodes": [node, {**node, "type": "EN"}, {**node, "type": "RA", "text": ""}]})
    for wrong in ({"type": ""}, {"type": "a type"}, {"type": None}, {"text": None}, {"nodeID": None}):
        with pytest.raises(jsonschema.ValidationError):
            aif.validate({"nodes": [{**node, **wrong}]})
    for missing in node:
        with pytest.raises(jsonschema.ValidationError):
            aif.validate({"nodes": [{key: value for key, value in node.items() if key != missing}]})


def test_what_services_get_keeps_to_them(fixtures: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    xaif = jsonschema.Draft202012Validator(schema("xaif"))
    for path in fixture_files(fixtures):
        xaif.validate(to_dict(load(path)))


@pytest.mark.slow
@pytest.mark.data
def test_all_real_maps_keep_to_them(shared_data: Path) -> None:
    for folder in ("us2016", "qt30", "dialam-2024", "iac-aif", "microtexts/aifdb", "araucaria", "xaif"):
        for path in some_of(sorted((shared_data / folder).rglob("*.json")), every=4):
            document = json.loads(path.read_text("utf-8-sig"))
            (XaifDocument if "AIF" in document else AifDocument).model_validate(document)
