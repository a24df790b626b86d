"""Random subscripts in onnxruntime against NumPy's: read, written, added to; with numbers known before the run, and in it."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="lowerings run in onnxruntime: pip install '.[onnx]'")

from onnx_models.running import assert_same, opened, run
from support.sampling import case_in_failure

from dy2st.ir.builder import Builder
from dy2st.ir.core import UNKNOWN, Program, Value, map_leaves
from dy2st.ops.registry import infer_types, lookup
from dy2st.runtime.tensors.value_types import type_of_native


class Subscripts:
    """Random subscripts, and the index tensors that they have."""

    def __init__(self, random: random.Random, with_tensors: bool):
        self.random, self.with_tensors = random, with_tensors
        self.tensors: list[np.ndarray] = []

    def of(self, shape: tuple[int, ...]) -> list:
        """A subscript of a tensor of this shape."""
        r = self.random
        count = r.randint(0, len(shape))
        front = r.randint(0, count)
        index = [self.item(n) for n in shape[:front]]
        if front < count or r.random() < 0.3:
            index += ["ellipsis", *(self.item(n) for n in shape[len(shape) - (count - front) :])]
        for _ in range(r.choice([0, 0, 1])):
            index.insert(r.randint(0, len(index)), "newaxis")
        return index

    def item(self, n: int) -> dict[str, Any]:
        """An int, a slice or an index tensor along an axis of length `n`."""
        r = self.random
        kind = r.choice("isss" + "tm" * (self.with_tensors and len(self.tensors) < 2))
        if kind in "tm":
            self.tensors.append(self.tensor(n, kind == "m"))
            return {"tensor": len(self.tensors) - 1}
        if kind == "i" and n:
            return {"int": r.randint(-n, n - 1)}
        return {"slice": [self.bound(n), self.bound(n), r.choice([None, None, 1, 2, -1, -2])]}

    def tensor(self, n: int, is_mask: bool) -> np.ndarray:
        """Flags, now and then fewer or more of them than elements, or indices in several shapes and dtypes."""
        rng = np.random.default_rng(self.random.randint(0, 99))
        if is_mask:
            return rng.random(self.random.choice([n, n, n, n, n, 0, n + 1])) < 0.5
        shape = self.random.choice([(), (2,), (2, 1), (1, 2)]) if n else (0,)
        return rng.integers(-n, max(n, 1), shape).astype(self.random.choice(["int64", "int32", "int16"]))

    def bound(self, n: int) -> int | None:
        """A bound of a slice, inside of the axis or not."""
        return self.random.choice([None, None, self.random.randint(-n - 2, n + 2)])


def program(name: str, operands: list, index: list, blur, in_run: bool) -> tuple[Program, list]:
    """The operator, and the values of its arguments: arrays, and the numbers of the subscript where only the run knows them."""
    numbers: list[int] = []
    if in_run:
        without_tensors = [item if "tensor" not in item else None for item in index]
        map_leaves(without_tensors, lambda leaf: numbers.append(leaf) if isinstance(leaf, int) else None)
    b = Builder()
    values = [*operands, *numbers]
    with b.function("main", **{f"x{k}": blur(type_of_native(v)) for k, v in enumerate(values)}) as arguments:
        rest = iter(arguments[len(operands) :])
        written = [
            map_leaves(item, lambda leaf: next(rest) if isinstance(leaf, int) else leaf)
            if in_run and "tensor" not in item
            else item
            for item in index
        ]
        unknown = map_leaves(written, lambda leaf: UNKNOWN if isinstance(leaf, Value) else leaf)
        types = infer_types(lookup(name), [x.type for x in arguments[: len(operands)]], {"index": unknown})
        b.return_(b.op(name, *arguments[: len(operands)], types=types, index=written))
    return b.program, values


def expected(name: str, operands: list, index: list) -> Any:
    """What the kernel gives, or the error that it raises."""
    try:
        return lookup(name).kernel(*copy.deepcopy(operands), index=index)
    except Exception as error:
        return error


def operands_of(name: str, r: random.Random, x: np.ndarray, tensors: list, index: list) -> list | None:
    """The operands of a read or a write; None where there is no part that could be written."""
    if name == "getitem":
        return [x, *tensors]
    part = expected("getitem_advanced" if tensors else "getitem", [x, *tensors], index)
    if isinstance(part, Exception):
        return None
    longer = [(1, *part.shape)] if name == "setitem_copy" and not tensors else []
    shape = r.choice([part.shape, part.shape[1:], (), *longer])
    dtype = x.dtype if name == "setitem_add" else r.choice([x.dtype, np.dtype("float32")])
    return [x, np.random.default_rng(r.randint(0, 99)).integers(0, 9, shape).astype(dtype), *tensors]


def check(name: str, r: random.Random) -> None:
    shape = tuple(r.choice([0, 1, 2, 3, 4]) for _ in range(r.randint(0, 3)))
    made = Subscripts(r, r.random() < 0.6)
    index = made.of(shape)
    dtype = r.choice(["float32", "int64", "float64", "bool", "float16", "int16"])
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    operands = operands_of(name, r, x, made.tensors, index)
    if operands is None:
        return
    operator = "getitem_advanced" if name == "getitem" and made.tensors else name
    want = expected(operator, operands, index)
    for blur, in_run in ((lambda type_: type_, False), (opened, False), (opened, True)):
        with case_in_failure(f"{[x.shape for x in operands]} {dtype} {index} {blur is opened} {in_run}"):
            if isinstance(want, Exception):
                with pytest.raises(Exception, match="."):
                    run(*program(operator, operands, index, blur, in_run))
            else:
                assert_same(want, run(*program(operator, operands, index, blur, in_run)), name)


@pytest.mark.parametrize("name", ["getitem", "setitem_copy", "setitem_add"])
def test_subscripts(name):
    for seed in range(50):
        with case_in_failure(f"seed {seed}"):
            check(name, random.Random(seed))
