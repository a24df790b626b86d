"""The JSON Schemas of `docs/schemas`, applied to the files that tests write."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator

SCHEMAS = Path(__file__).resolve().parent.parent.parent / "docs" / "schemas"


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")))


def problems(name: str, tree: Any) -> list[str]:
    """What a schema has against a tree."""
    return [f"{name}: {error.instance_path}: {error.message[:300]}" for error in validator(name).iter_errors(tree)]


def schema_of(tree: Any) -> str:
    """Which schema the model file of this tree goes by."""
    known = {"dy2st_model": "model", "traced_module": "traced_module"}
    return next((name for key, name in known.items() if isinstance(tree, dict) and key in tree), "state")


def header(params: bytes) -> Any:
    """The header of a parameter file."""
    return json.loads(params[8 : 8 + int.from_bytes(params[:8], "little")])


def check_files(info: bytes, model: bytes, params: bytes) -> None:
    """Assert that the files of one save go by their schemas."""
    tree = json.loads(model)
    found = [*problems("info", json.loads(info)), *problems(schema_of(tree), tree), *problems("params", header(params))]
    assert not found, found
