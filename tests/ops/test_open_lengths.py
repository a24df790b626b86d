"""Operators that are said to take any lengths take them: kernels run on the samples with other lengths."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest
from ops.samples import collect
from support.sampling import sampled

from dy2st.ir.core import Operation, Value
from dy2st.ir.types import TensorType, Type
from dy2st.ops.open_lengths import fits
from dy2st.ops.registry import lookup
from dy2st.runtime.tensors.value_types import type_of_native

TRIED = 12
INNER = {"expect", "expect_copy"}  # whose meaning is to fail


def is_array(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0


def opened(value: object, draw: random.Random) -> Type:
    """The type of an operand some of whose lengths are open."""
    type_ = type_of_native(value)
    if not is_array(value):
        return type_
    return TensorType(type_.dtype, tuple(draw.choice([None, None, length]) for length in value.shape))


def other_lengths(value, type_: Type, draw: random.Random):
    if not is_array(value):
        return copy.deepcopy(value)
    lengths = [draw.choice([0, 1, 2, 3, 5, 7]) if length is None else length for length in type_.shape]
    return np.resize(value, lengths) if value.size else np.zeros(lengths, value.dtype)


NAMES = [
    name
    for name, samples in sorted(collect().items())
    if "." not in name and name not in INNER and any(is_array(operand) for s in samples for operand in s.operands)
]


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(NAMES, 30))
def test_what_fits_runs_on_other_lengths(name):
    definition, draw = lookup(name), random.Random(name)
    for sample in collect()[name]:
        for _ in range(TRIED):
            types = [opened(operand, draw) for operand in sample.operands]
            if not fits(Operation(name, [*map(Value, types)], sample.attrs, [])):
                continue
            operands = [other_lengths(operand, type_, draw) for operand, type_ in zip(sample.operands, types)]
            try:
                with np.errstate(all="ignore"):
                    definition.kernel(*operands, **sample.attrs)
            except Exception as error:
                assert {cls.__name__ for cls in type(error).__mro__} & set(definition.raises), operands
