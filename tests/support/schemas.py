"""The JSON Schemas of `docs/schemas`, applied to the files that tests write."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMAS = Path(__file__).resolve().parent.parent.parent / "docs" / "schemas"
EVERY = 8  # saves of the suite, of which one is looked at
_seen: set[Any] = set()  # the shapes of operations, steps and infos that were looked at


@cache
def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def problems(name: str, tree: Any) -> list[str]:
    """What a schema has against a tree."""
    return [f"{name}: {error.json_path}: {error.message[:300]}" for error in validator(name).iter_errors(tree)]


def schema_of(tree: Any) -> str:
    """Which schema the model file of this tree goes by."""
    known = {"dy2st_model": "model", "traced_module": "traced_module"}
    return next((name for key, name in known.items() if isinstance(tree, dict) and key in tree), "state")


def header(params: bytes) -> Any:
    """The header of a parameter file."""
    return json.loads(params[8 : 8 + int.from_bytes(params[:8], "little")])


def check_some(info: Any, model: Any) -> None:
    """Assert that the files of one save go by their schemas; an operation only where it has a shape not seen before.

    A schema costs more time than a save: so each shape is paid for once.
    """
    found = problems("info", info) if _is_new(info) else []
    found += problems(schema_of(model), _with_new_parts(model))
    assert not found, found


def _with_new_parts(tree: Any) -> Any:
    """The tree without the operations and steps, at any depth, whose shapes were seen before."""
    if isinstance(tree, list):
        parts = [_with_new_parts(part) for part in tree]
        return [part for part in parts if not _is_operation(part) or _is_new(part) or _has_new(part)]
    return {key: _with_new_parts(part) for key, part in tree.items()} if isinstance(tree, dict) else tree


def _is_operation(tree: Any) -> bool:
    return isinstance(tree, dict) and ("op" in tree or "kind" in tree and "args" in tree)


def _has_new(op: dict) -> bool:
    """Whether a block of the operation has kept an operation."""
    return any(block.get("ops") or block.get("body") for block in op.get("blocks", ()))


def _is_new(tree: Any) -> bool:
    known = len(_seen)
    _seen.add(_shape(tree))
    return len(_seen) > known


def _shape(tree: Any, key: str = "") -> Any:
    if isinstance(tree, dict):
        return tuple((key, _shape(part, key)) for key, part in tree.items() if key != "blocks")
    if isinstance(tree, list):
        return frozenset(_shape(part) for part in tree)
    return tree if key in ("op", "kind", "func", "method") else type(tree)
