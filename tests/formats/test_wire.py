from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from aifgraph.cli import main
from aifgraph.errors import OptionError
from aifgraph.formats.schemas.documents import AifDocument, XaifDocument
from aifgraph.formats.schemas.results import SCHEMAS, CheckResult, ComparisonResult, CorpusResult, schema, schema_text
from aifgraph.formats.schemas.results import main as write_schemas

ROOT = Path(__file__).parents[2]
LEGAL = sorted((ROOT / "fixtures" / "rules").glob("*-legal.json"))


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_current(name: str) -> None:
    if tuple(map(int, version("pydantic").split(".")[:2])) < (2, 12):
        pytest.skip("an older pydantic writes the same schema in other words")
    file = ROOT / "schemas" / f"{name}.schema.json"
    assert file.read_text("utf-8") == schema_text(name), "run python -m aifgraph.formats.schemas.results schemas"


def test_written_by_one_command(tmp_path: Path) -> None:
    write_schemas(str(tmp_path))
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.schema.json" for name in SCHEMAS}
    with pytest.raises(OptionError, match="xaif"):
        schema("no such")


def test_what_is_written_here_keeps_to_them(tmp_path: Path) -> None:
    first, second = str(LEGAL[0]), str(LEGAL[1])
    assert main(["compare", first, second, "--format", "json", "-o", str(tmp_path / "pair.json")]) == 0
    ComparisonResult.model_validate_json((tmp_path / "pair.json").read_text("utf-8"))
    folder = str(LEGAL[0].parent)
    main(["check", folder, "--format", "json", "-o", str(tmp_path / "check.json")])
    CheckResult.model_validate_json((tmp_path / "check.json").read_text("utf-8"))
    main(["compare", folder, folder, "--format", "json", "-o", str(tmp_path / "corpus.json")])
    result = CorpusResult.model_validate_json((tmp_path / "corpus.json").read_text("utf-8"))
    assert result.pairs


def test_the_schema_itself_says_so() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    aif = jsonschema.Draft202012Validator(schema("aif"))
    aif.check_schema(aif.schema)
    for path in LEGAL:
        aif.validate(json.loads(path.read_text("utf-8")))
    with pytest.raises(jsonschema.ValidationError):
        aif.validate({"nodes": [{"nodeID": "1"}]})


@pytest.mark.data
def test_all_real_maps_keep_to_them(shared_data: Path) -> None:
    for folder in ("us2016", "qt30", "dialam-2024", "iac-aif", "microtexts/aifdb", "araucaria", "xaif"):
        for path in sorted((shared_data / folder).rglob("*.json")):
            document = json.loads(path.read_text("utf-8-sig"))
            (XaifDocument if "AIF" in document else AifDocument).model_validate(document)
