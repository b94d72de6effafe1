"""What the service takes and gives, as OpenAPI 3.1."""

from __future__ import annotations

from typing import Any, Final

from aifgraph.comparison.option_model import options_model
from aifgraph.version import __version__

#: The files of a request; the first two are needed.
FILES: Final = ("first", "second", "first_text", "second_text")


def option_schemas() -> dict[str, dict[str, Any]]:
    """The JSON schema of every option, by name: type, values, default and what it does."""
    schemas: dict[str, dict[str, Any]] = options_model().model_json_schema()["properties"]
    return schemas


def openapi() -> dict[str, Any]:
    """The description that ``GET /openapi.json`` gives."""
    fields: dict[str, Any] = {
        name: {"type": "string", "format": "binary", "description": _description(name)} for name in FILES
    }
    fields |= option_schemas()
    fields["format"] = {"type": "string", "enum": ["json", "html"], "default": "json"}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    refusals = {
        "400": "a file is missing or cannot be read",
        "413": "larger than the service takes",
        "415": "not multipart/form-data",
        "422": "an option is out of its range",
        "503": "busy with other comparisons",
        "504": "the comparison took too long",
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "aifgraph",
            "version": __version__,
            "summary": "Compare two analyses of one text (CASS)",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": {
            "/compare": {
                "post": {
                    "operationId": "compare",
                    "summary": "Two maps in, their comparison out; nothing is kept",
                    "requestBody": {
                        "required": True,
                        "content": {
                            "multipart/form-data": {
                                "schema": {"type": "object", "required": list(FILES[:2]), "properties": fields}
                            }
                        },
                    },
                    "responses": {
                        "200": {
                            "description": "the comparison, as comparison.schema.json says or as a page",
                            "content": {"application/json": {"schema": {"type": "object"}}, "text/html": {}},
                        },
                        **{code: {"description": text, "content": error} for code, text in refusals.items()},
                    },
                }
            },
            "/openapi.json": {
                "get": {"operationId": "openapi", "responses": {"200": {"description": "this description"}}}
            },
        },
        "components": {
            "schemas": {
                "Error": {
                    "type": "object",
                    "required": ["error"],
                    "properties": {
                        "error": {
                            "type": "object",
                            "required": ["what"],
                            "properties": {
                                "what": {"type": "string"},
                                "where": {"type": ["string", "null"]},
                                "remedy": {"type": ["string", "null"]},
                            },
                        }
                    },
                }
            }
        },
    }


def _description(name: str) -> str:
    side = name.removesuffix("_text")
    return f"the source text of the {side} map" if name.endswith("_text") else f"the {side} map, in any format"
