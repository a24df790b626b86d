"""Archives written by hand, operation by operation, as somebody would who never staged a model."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from dy2st.saving.format import FORMAT, NEEDS

from .archives import INFO, MODEL, PARAMS, put_together

X = ["x", "float32[2]"]
RETURN = {"op": "return", "in": ["x"]}
YIELD = {"op": "yield"}
TENSOR = {"tensor": {"shape": [2], "dtype": "float32", "name": "x", "stop_gradient": True}}


def op(kind: str, operands: Iterable[str] = (), results: Iterable = (), /, *blocks: Any, **attrs: Any) -> dict[str, Any]:
    """An operation: the names of its operands, name and type of each result, its blocks, its attributes as JSON."""
    fields = {"in": list(operands), "out": list(map(list, results)), "blocks": list(blocks), "attrs": attrs}
    return {"op": kind} | {key: value for key, value in fields.items() if value}


def block(*ops: Any, args: Iterable = ()) -> dict[str, Any]:
    return {"args": list(map(list, args)), "ops": list(ops)}


def function(name: str, *ops: Any, args: Iterable = (X,)) -> dict[str, Any]:
    return {"name": name, "block": block(*ops, args=args)}


def program(*functions: Any, **tables: Any) -> dict[str, Any]:
    """The tree of a model file; tables: `state`, `parameters`."""
    return {"dy2st_model": FORMAT, "parameters": [], "state": [], "functions": list(functions)} | tables


def info(**fields: Any) -> dict[str, Any]:
    """The tree of an info file, of a model that takes x and gives a tensor like it, but for these fields."""
    tables = {"entries": {"forward": "main"}, "inputs": {"forward": [["x", TENSOR]]}, "outputs": {"forward": ["float32[2]"]}}
    fixed = {"dy2st_info": FORMAT, "needs": NEEDS, "name": "net", "training": False, "versions": {}, "extra": {}}
    return {**fixed, **tables} | fields


def archive(tree: Any, about: Any = None, arrays: dict[str, int] | None = None) -> bytes:
    """An archive of these trees, or of the bytes of a model file; arrays: name -> how many float32 zeros."""
    text = tree if isinstance(tree, bytes) else json.dumps(tree).encode()
    return put_together({MODEL: text, PARAMS: _params(arrays or {}), INFO: json.dumps(about or info()).encode()})


def gives(type_: str, *ops: Any, **tables: Any) -> bytes:
    """An archive whose `forward` is these operations, the last result being what it gives."""
    result = ops[-1]["out"][0][0]
    return archive(program(function("main", *ops, op("return", [result])), **tables), info(outputs={"forward": [type_]}))


def does(*ops: Any, **tables: Any) -> bytes:
    """An archive whose `forward` does this and gives its input."""
    return archive(program(function("main", *ops, RETURN), **tables))


def beside(*functions: Any, **tables: Any) -> bytes:
    """An archive with Functions that nobody calls."""
    return archive(program(function("main", RETURN), *functions, **tables))


def _params(arrays: dict[str, int]) -> bytes:
    header, at = {}, 0
    for name, count in arrays.items():
        header[name] = {"dtype": "F32", "shape": [count], "data_offsets": [at, at + 4 * count]}
        at += 4 * count
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + bytes(at)
