"""The ways by which what stands in a file reaches a kernel."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from ops.samples import collect

import dy2st as paddle
from dy2st.ir.core import Block, Function, Operation, Program, Ref
from dy2st.ops.registry import OPERATORS, infer_types
from dy2st.runtime.engine import compile_program
from dy2st.runtime.tensors.tensor import Tensor
from dy2st.runtime.tensors.value_types import type_of_native
from dy2st.saving.archive import read_archive, write_archive
from dy2st.saving.files import MODEL, PARAMS, seal
from dy2st.saving.model_json import program_from_json, program_to_json
from dy2st.saving.params import ParamsFile
from dy2st.traced_module import trace_module
from dy2st.traced_module.constants import encode
from dy2st.traced_module.files import module_bytes, module_from_bytes

SAMPLES = collect()
Call = Callable[[], Any]


class NotThisWay(Exception):
    """The call can't be written in such a file."""


def kernel(operator: str, operands: list, attrs: dict[str, Any], place: tuple) -> Call:
    definition = OPERATORS[operator]
    if not (definition.attributes is None or definition.attributes.issuperset(attrs)):
        raise NotThisWay  # whoever calls a kernel has asked for its attributes before
    return lambda: definition.kernel(*operands, **attrs)


def eager(operator: str, operands: list, attrs: dict[str, Any], place: tuple) -> Call:
    tensors = [Tensor(x) if isinstance(x, np.ndarray) else x for x in operands]
    return lambda: OPERATORS[operator](*tensors, **attrs)


# --- a traced module, whose file is edited ------------------------------------------------------------------------------


class _Sane(paddle.nn.Layer):
    def forward(self, x):
        return x + 1.0


@cache
def _saved() -> tuple[Any, str]:
    """The info and the graph of a sane module."""
    info, files = read_archive(io.BytesIO(module_bytes(trace_module(_Sane(), paddle.ones([2])))))
    return info, bytes(files[MODEL]).decode()


def traced(operator: str, operands: list, attrs: dict[str, Any], place: tuple) -> Call:
    info, text = _saved()
    tree = json.loads(text)
    graph = tree["graphs"][0]
    step, arrays, constants = graph["body"][0], {}, []

    def array(value: np.ndarray) -> str:
        arrays[f"a{len(arrays)}"] = value
        return f"a{len(arrays) - 1}"

    args = []
    for x in operands:
        if isinstance(x, np.ndarray):
            if x.nbytes > 1 << 20:
                raise NotThisWay
            node = ["tensor", 10 + len(constants), f"c{len(constants)}", list(x.shape), x.dtype.name]
            constant = {"kind": "constant", "args": [], "id": 10 + len(constants), "value": array(x), "outputs": [node]}
            constants.append({**step, **constant})
            args.append({"node": 1 + len(constants)})
        else:
            args.append(_encoded(x, array))
    step |= {"kind": "operator", "func": operator, "args": args, "kwargs": _encoded(attrs, array)}
    step["outputs"] = [["value", 2, "out", "int"]]
    graph |= {"body": [*constants, step], "results": {"node": 2 + len(constants)}, "next": [99, 99]}
    buffer = io.BytesIO()
    try:
        contents = {MODEL: [json.dumps(tree).encode()], PARAMS: ParamsFile(arrays)}
    except (RecursionError, UnicodeEncodeError, MemoryError):
        raise NotThisWay from None
    write_archive(buffer, seal(contents, info))
    data = buffer.getvalue()
    return lambda: module_from_bytes(data)(paddle.ones([2]))


def _encoded(value: Any, array: Any) -> Any:
    try:
        return encode(value, lambda node: 0, array)
    except Exception:
        raise NotThisWay from None


# --- a Program ---------------------------------------------------------------------------------------------------------


def program(operator: str, operands: list, attrs: dict[str, Any], place: tuple) -> Call:
    """Loaded and compiled; refused at load or when it runs."""
    return _loaded(operator, operands, attrs, operands)


def ref(operator: str, operands: list, attrs: dict[str, Any], place: tuple) -> Call:
    """The hostile attribute is an operand that the attribute refers to."""
    if isinstance(place[0], int) or len(place) > 1:
        raise NotThisWay
    return _loaded(operator, operands, {**attrs, place[0]: Ref(len(operands))}, [*operands, attrs[place[0]]])


def _loaded(operator: str, operands: list, attrs: dict[str, Any], inputs: list) -> Call:
    try:
        block = Block(map(type_of_native, inputs))
        block.append(Operation(operator, block.args, attrs, _results(operator), n_positional=len(operands)))
        block.append(Operation("return", (*block.ops[0].results, *block.args)[:1]))
        text = program_to_json(Program({"main": Function("main", block)}))
    except Exception:
        raise NotThisWay from None
    return lambda: compile_program(program_from_json(text))(*inputs)


@cache
def _results(operator: str) -> list:
    """What the file says of the results: what the first sample gives, which need not be so."""
    sample = SAMPLES[operator][0]
    return list(infer_types(OPERATORS[operator], [*map(type_of_native, sample.operands)], sample.attrs))


WAYS = {"kernel": kernel, "eager": eager, "traced": traced, "program": program, "ref": ref}
