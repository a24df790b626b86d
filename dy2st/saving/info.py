"""`<path>.info.json`: what a caller needs besides the Program, and the sha256 of the other two files, which tie the three."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..errors import ModelFileError
from ..pytree import parts_of, placed
from .format import FORMAT, NEEDS, expect_format
from .untrusted import brief, expect, expect_keys, parse_json

_SHA256 = re.compile(r"[0-9a-f]{64}")
_TABLES = ("entries", "inputs", "outputs", "versions", "extra")


@dataclass
class Info:
    """About a saved model.

    entries: method name -> name of its function in the Program.
    inputs, outputs: method name -> JSON tree that describes the arguments (InputSpecs) and the structure of the result.
    training: whether the model was saved in training mode. name: what the model is called.
    versions: name -> version of what wrote the file. extra: further JSON trees.
    extra_files: the user's own files, kept in an archive only.
    """

    entries: dict[str, str] = field(default_factory=dict)
    inputs: dict[str, Any] = field(default_factory=dict)
    outputs: dict[str, Any] = field(default_factory=dict)
    training: bool = False
    name: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    extra_files: dict[str, bytes] = field(default_factory=dict)


def info_to_json(info: Info, hashes: dict[str, str]) -> str:
    """The text of the info file; ValueError names what is no JSON. `hashes`: file suffix -> sha256."""
    tree = {table: getattr(info, table) for table in _TABLES}
    for table, entries in tree.items():
        _check_tree(entries, table)
    tree |= {"dy2st_info": FORMAT, "needs": NEEDS, "name": info.name, "sha256": hashes, "training": info.training}
    return json.dumps(tree, indent=1, sort_keys=True, allow_nan=False) + "\n"


def _check_tree(tree: Any, table: str) -> None:
    """Only what comes back as itself from JSON."""
    for where, part in placed(table, tree, _inside):
        if not (part is None or type(part) in (bool, int, str, list, dict) or type(part) is float and math.isfinite(part)):
            raise ValueError(f"info {where}: {part!r} ({type(part).__name__}) can't be kept as JSON")
        for key in part if isinstance(part, dict) else ():
            if type(key) is not str:
                raise ValueError(f"info {where}: the key {key!r} is no str")


def _inside(where: str, tree: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a JSON tree, each with its place."""
    return ((f"{where}.{key.key}", part) for key, part in parts_of(tree))  # type: ignore[union-attr]


def info_from_json(data: bytes | str, where: str = "") -> tuple[Info, dict[str, str]]:
    """The Info and the sha256 of the other files; ModelFileError for anything else. where: the path of the file."""
    what = f"{where}: the info file" if where else "the info file"
    tree = expect_format(parse_json(data, what), "dy2st_info", what)
    checked = expect_keys(tree, {"dy2st_info", "name", "needs", "sha256", "training", *_TABLES}, set(), what)
    tables = {table: expect(checked[table], dict, f"{what}, {table}") for table in _TABLES}
    for table in ("entries", "versions"):
        for value in tables[table].values():
            expect(value, str, f"{what}, {table}")
    hashes = expect(checked["sha256"], dict, f"{what}, sha256")
    for value in hashes.values():
        if not _SHA256.fullmatch(expect(value, str, f"{what}, sha256")):  # it becomes part of a file's name
            raise ModelFileError(f"{what}: {brief(value)} is not a sha256")
    name = expect(checked["name"], str, f"{what}, name")
    expect(checked["needs"], str, f"{what}, needs")
    return Info(training=expect(checked["training"], bool, f"{what}, training"), name=name, **tables), hashes
