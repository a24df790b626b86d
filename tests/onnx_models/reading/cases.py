"""ONNX's own tests of its operators: each is a model of a few nodes, with inputs and the outputs that it has to give."""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import dy2st
from dy2st.onnx.reading.tensors import DTYPE_NAMES

BFLOAT16 = "bfloat16 is rounded at other places of the formula than where the expected values were, which are compared to 1e-3"
FLOAT16 = "sums of float16 are computed in float32, those of the expected values in float16: two elements differ in the last bits"
BITS = "the bits of a tensor as another dtype: dy2st has no operator for it"
RANK = "the body squeezes all axes of length 1 of a tensor whose lengths only the Program knows, so its rank isn't known"
REFUSED = {  # cases that fail, and why
    r"test_attention_.*causal.*_bf16(_expanded)?": BFLOAT16,
    r"test_attention_4d_padded_kv_bf16(_expanded)?": BFLOAT16,
    r"test_attention_4d_causal_fp16(_expanded)?": FLOAT16,
    r"test_bitcast_(?!uint16|uint32).*": BITS,
    r"test_affine_grid_2d.*_expanded": RANK,
}
RANDOM = {"Bernoulli", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial"}
DTYPES_HERE = set(DTYPE_NAMES)


@functools.cache
def all_cases() -> list[Any]:
    """The test cases of the installed onnx that are models with data."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [case for case in collect_testcases(None) if case.model is not None]


def graphs_in(graph: Any) -> Iterator[Any]:
    """A GraphProto and those inside it."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from graphs_in(attribute.g)


def dtypes_in(model: Any) -> set[str]:
    """The element types that a model speaks of."""
    from onnx import TensorProto

    found: set[int] = set()
    for graph in graphs_in(model.graph):
        for value in [*graph.input, *graph.output, *graph.value_info]:
            found |= _of_type(value.type)
        found |= {one.data_type for one in graph.initializer}
        for node in graph.node:
            for attribute in node.attribute:
                found |= {attribute.t.data_type} if attribute.HasField("t") else set()
                found |= {attribute.i} if attribute.name in ("to", "dtype", "output_dtype") else set()
    return {TensorProto.DataType.Name(code) for code in found - {0}}


def _of_type(proto: Any) -> set[int]:
    kind = proto.WhichOneof("value")
    inner = getattr(proto, kind) if kind else None
    return set() if inner is None else {inner.elem_type} if kind == "tensor_type" else _of_type(inner.elem_type)


def apart(case: Any) -> str:
    """Why a case isn't counted with the others; "" of one that is."""
    operators = {(node.domain, node.op_type) for graph in graphs_in(case.model.graph) for node in graph.node}
    domains = {domain for domain, _ in operators} - {"", "ai.onnx"}
    lacking = dtypes_in(case.model) - DTYPES_HERE
    if "STRING" in lacking:
        return "strings"
    if lacking:
        return "dtypes that dy2st lacks"
    if any(domain.endswith("training") for domain in domains):
        return "training"
    if "ai.onnx.ml" in domains:
        return "ml operators"
    if any(name == "ImageDecoder" for _, name in operators):
        return "image decoders"
    if any(name in RANDOM for _, name in operators) or case.name.startswith("test_training_dropout"):
        return "random outputs"
    return ""


def data(value: Any) -> Any:
    """A value of a case as arrays and lists."""
    from onnx import TensorProto, numpy_helper

    return numpy_helper.to_array(value) if isinstance(value, TensorProto) else value


def why_refused(case: Any) -> str:
    """Why a case fails; "" of one that passes."""
    return next((reason for name, reason in REFUSED.items() if re.fullmatch(name, case.name)), "")


def with_open_lengths(model: Any) -> Any:
    """The same model, of which the first input may have any lengths."""
    from onnx import ModelProto

    opened = ModelProto()
    opened.CopyFrom(model)
    del opened.graph.value_info[:]
    for value in [*opened.graph.input[:1], *opened.graph.output]:
        if value.type.WhichOneof("value") == "tensor_type":
            for at, dim in enumerate(value.type.tensor_type.shape.dim):
                dim.dim_param = f"{value.name}_{at}"
    return opened


def as_input(value: Any) -> Any:
    """A case's input as a loaded model takes it."""
    value = data(value)
    if isinstance(value, list):
        return [as_input(item) for item in value]
    return dy2st.Tensor(np.array(value, order="C")) if isinstance(value, np.ndarray | np.generic) else value


def as_output(value: Any) -> Any:
    """What a loaded model gives, as a case has it."""
    if isinstance(value, list | tuple):
        return [as_output(item) for item in value]
    return None if value is None else value._data


def check(model: Any, case: Any) -> None:
    """Run a loaded model on the data of a case. AssertionError: it gives something else."""
    for inputs, expected in case.data_sets:
        found = model(*map(as_input, inputs))
        found = [found] if len(expected) == 1 else list(found)
        assert len(found) == len(expected), f"{len(found)} outputs, not {len(expected)}"
        for given, wanted in zip(found, expected):
            same(as_output(given), data(wanted), case)


def same(given: Any, wanted: Any, case: Any) -> None:
    """AssertionError where two outputs differ by more than the case allows."""
    if wanted is None or isinstance(wanted, list):
        assert (given is None) == (wanted is None), f"{given!r} is not {wanted!r}"
        assert wanted is None or len(given) == len(wanted), f"{len(given)} items, not {len(wanted)}"
        for one, other in zip(given or [], wanted or []):
            same(one, other, case)
        return
    wanted = np.asarray(wanted)
    assert given.dtype == wanted.dtype, f"{given.dtype}, not {wanted.dtype}"
    assert given.shape == wanted.shape, f"the shape {given.shape}, not {wanted.shape}"
    if wanted.dtype.kind == "V":
        given, wanted = given.astype(np.float32), wanted.astype(np.float32)
    np.testing.assert_allclose(given, wanted, case.rtol, case.atol)
