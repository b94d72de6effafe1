from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from aifgraph import json_schema, load, to_dict
from aifgraph.errors import OptionError
from aifgraph.formats.documents import AifDocument, XaifDocument
from aifgraph.formats.documents import main as write_schemas
from formats.roundtrip import READ, files_of
from sampled import some_of

ROOT = Path(__file__).parents[2]
LEGAL = sorted((ROOT / "fixtures" / "rules").glob("*-legal.json"))


def test_schemas_are_current(tmp_path: Path) -> None:
    if tuple(map(int, version("pydantic").split(".")[:2])) < (2, 12):
        pytest.skip("an older pydantic writes the same schema in other words")
    write_schemas(str(tmp_path))
    for name in ("aif", "xaif"):
        file = ROOT / "schemas" / f"{name}.schema.json"
        assert file.read_text("utf-8") == (tmp_path / file.name).read_text("utf-8"), "run make schemas"
    with pytest.raises(OptionError, match="xaif"):
        json_schema("no such")


def test_the_schema_itself_says_so() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    aif = jsonschema.Draft202012Validator(json_schema("aif"))
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


def test_what_services_get_keeps_to_them() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    xaif = jsonschema.Draft202012Validator(json_schema("xaif"))
    aif = jsonschema.Draft202012Validator(json_schema("aif"))
    for name in READ:
        for path in files_of(name):
            xaif.validate(to_dict(load(path)))
            aif.validate(to_dict(load(path), format="aif"))


@pytest.mark.slow
@pytest.mark.data
def test_all_real_maps_keep_to_them(shared_data: Path) -> None:
    for folder in ("us2016", "qt30", "dialam-2024", "iac-aif", "microtexts/aifdb", "araucaria", "xaif"):
        for path in some_of(sorted((shared_data / folder).rglob("*.json")), every=4):
            document = json.loads(path.read_text("utf-8-sig"))
            (XaifDocument if "AIF" in document else AifDocument).model_validate(document)


def test_references_in_an_openapi_document() -> None:
    text = json.dumps(json_schema(ref_template="#/components/schemas/{model}"))
    assert "#/components/schemas/AifNode" in text
    assert "#/$defs/" not in text
