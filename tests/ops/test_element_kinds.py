"""Every operator on every dtype: what inference takes, the kernel computes, in the dtype that inference says."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pytest
from ops.samples import collect
from support.sampling import case_in_failure

import dy2st as paddle
from dy2st.dtypes import BY_NUMPY, DTYPES
from dy2st.errors import DTypeError, Dy2stError
from dy2st.ir.types import TensorType
from dy2st.ops.registry import infer_types, lookup
from dy2st.runtime.tensors.value_types import type_of_native

KINDS = ["bool", "uint8", "int32", "int64", "float16", "float32", "float64", "complex64", "complex128"]
COMPLEX = getattr(np, "exceptions", np).ComplexWarning
# What the package records by itself, or behind a function that casts: training, parts of gradients, numbers of one kind.
BEHIND = frozenset(
    """adam adam_ adamax adamax_ lamb lamb_ nadam nadam_ radam radam_ clip_factor embedding_spread
    mirror_weights permutation_of product_of_others spread cast""".split()
)
VALUES = (ValueError, IndexError, OverflowError)  # the values that a sample has become may not do: a negative power, a place


def uniform(operands, dtype):
    """The operands in one dtype; None where that says nothing: no array, or a Python number that an api function would cast."""
    arrays = [x for x in operands if isinstance(x, np.ndarray) and x.dtype.kind in "biufc"]
    if not arrays or any(isinstance(x, float) for x in operands) and DTYPES[dtype].numpy.kind in "biu":
        return None
    if dtype == "bool" and any(isinstance(x, int) for x in operands):
        return None
    return [x.astype(DTYPES[dtype].numpy) if any(x is a for a in arrays) else x for x in operands]


@pytest.mark.parametrize("dtype", KINDS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_inference_takes_the_kernel_computes(dtype):
    for name, samples in collect().items():
        if "." in name or name in BEHIND:
            continue
        for sample in samples:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", COMPLEX)
                operands = uniform(copy.deepcopy(list(sample.operands)), dtype)
            if operands is None:
                continue
            try:
                inferred = infer_types(lookup(name), [type_of_native(x) for x in operands], sample.attrs)
            except Dy2stError:
                continue
            with case_in_failure(f"{name} of {dtype}"), warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("error", COMPLEX)
                try:
                    given = lookup(name).kernel(*operands, **sample.attrs)
                except VALUES:
                    continue
                for type_, value in zip(inferred, given if isinstance(given, tuple) else (given,)):
                    if isinstance(type_, TensorType):
                        assert BY_NUMPY[np.asarray(value).dtype].name == type_.dtype


NUMBERS = {"complex64": [1 + 2j, 2.5 - 1j], "bool": [True, False]}
REFUSED = {
    "complex64": {
        **{name: getattr(paddle, name) for name in ("floor", "ceil", "trunc", "signbit", "frexp", "var", "std")},
        **{name: lambda x, f=getattr(paddle, name): f(x, x) for name in ("atan2", "floor_divide", "remainder", "hypot")},
        "logcumsumexp": lambda x: paddle.logcumsumexp(x, axis=0),
        "gelu": paddle.nn.functional.gelu,
        "//": lambda x: x // 2,
    },
    "bool": {
        **{name: getattr(paddle, name) for name in ("neg", "sign", "square")},
        **{name: lambda x, f=getattr(paddle, name): f(x, x) for name in ("subtract", "floor_divide", "remainder", "pow")},
        "relu": paddle.nn.functional.relu,
        "clip": lambda x: paddle.clip(x, 0, 1),
    },
}


@pytest.mark.parametrize("dtype, name", [(dtype, name) for dtype, calls in REFUSED.items() for name in calls])
def test_what_has_no_meaning_is_refused_in_words_eager_and_static(dtype, name):
    x, call = paddle.to_tensor(np.array(NUMBERS[dtype], dtype)), REFUSED[dtype][name]
    for form in (call, lambda x: paddle.jit.to_static(lambda x: call(x))(x)):
        with pytest.raises(DTypeError, match="take x.real|cast it first"):
            form(x)


def test_the_length_of_complex_numbers_is_real():
    x = paddle.to_tensor(np.array([3 + 4j, 0j], "complex64"))
    for call, expected in ((paddle.abs, [5, 0]), (paddle.linalg.norm, 5), (lambda x: paddle.linalg.norm(x, p=1), 5)):
        for form in (call, paddle.jit.to_static(lambda x, call=call: call(x))):
            assert form(x).dtype.name == "float32" and form(x).tolist() == expected
    assert paddle.dist(x, x * 2).item() == 5
