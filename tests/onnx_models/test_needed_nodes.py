"""A model has the nodes and constants that its outputs need, and no others."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="models run in onnxruntime: pip install '.[onnx]'")

from onnx_models.running import of_one_operator, run
from ops.samples.sample import values

from dy2st.ir.builder import Builder
from dy2st.ir.core import Program
from dy2st.ir.types import TensorType
from dy2st.onnx.lowering.program import lower
from dy2st.ops.registry import infer_types, lookup


def graph_of(program: Program):
    return lower(program).model.graph


def names_read(graph) -> set[str]:
    """All names that nodes of a graph read, those in graphs of its nodes among them, and its outputs."""
    found = {output.name for output in graph.output}
    for node in graph.node:
        found.update(node.input)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found |= names_read(attribute.g)
    return found


def first_result(name: str, *operands: np.ndarray, **attrs) -> Program:
    """A Program that returns the first of the results of an operator."""
    b = Builder()
    types = {f"x{k}": TensorType(x.dtype.name, x.shape) for k, x in enumerate(operands)}
    with b.function("main", **types) as arguments:
        results = b.op(name, *arguments, types=infer_types(lookup(name), [*types.values()], attrs), **attrs)
        b.return_(results[0])
    return b.program


def test_what_only_unused_results_need_is_left_out():
    graph = graph_of(first_result("normalize", values(2, 3, dtype="float32"), axis=[-1], epsilon=1e-5))
    assert [node.op_type for node in graph.node] == ["LayerNormalization", "Identity"]


def test_constants_that_no_node_reads_are_left_out():
    program, _ = of_one_operator("pad", (values(4, 3),), {"pads": ((1, 1), (0, 0)), "mode": "reflect"})
    graph = graph_of(program)
    assert {constant.name for constant in graph.initializer} <= names_read(graph)


def test_a_loop_keeps_what_its_body_reads():
    b = Builder()
    with b.function("main", x=TensorType("float32", (2,)), n="int") as (x, n):
        twice = b.op("add", x, x, types="float32[2]")
        _, total = b.while_(
            [b.const(0), x],
            lambda i, _: b.op("py.lt", i, n, types="bool"),
            lambda i, carried: (b.op("py.add", i, b.const(1), types="int"), b.op("add", carried, twice, types="float32[2]")),
        )
        b.return_(total)
    graph = graph_of(b.program)
    assert {constant.name for constant in graph.initializer} <= names_read(graph)
    np.testing.assert_array_equal(run(b.program, [np.array([1.0, 2.0], "float32"), 3]), [7.0, 14.0])
