"""Inference on named dimensions: a result has the name of an operand's dimension only where kernels give it that length."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest
from ops.samples import collect
from ops.test_open_lengths import is_array
from support.sampling import sampled

from dy2st.errors import Dy2stError
from dy2st.ir.types import TensorType
from dy2st.ops.registry import infer_types, lookup
from dy2st.runtime.tensors.value_types import type_of_native

NAMES = [name for name, samples in sorted(collect().items()) if any(is_array(x) for s in samples for x in s.operands)]


def named(operands: list, draw: random.Random) -> tuple[list, dict[str, int]]:
    """Types of operands, of which some lengths have names: one for each length that occurs; and the lengths."""
    lengths: dict[str, int] = {}
    types = []
    for operand in operands:
        type_ = type_of_native(operand)
        if is_array(operand):
            shape = tuple(draw.choice([n, f"n{n}", f"n{n}"]) for n in operand.shape)
            lengths.update((f"n{n}", n) for n in operand.shape)
            type_ = TensorType(type_.dtype, shape)
        types.append(type_)
    return types, lengths


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(NAMES, 40))
def test_names_of_results_are_those_of_equal_lengths(name):
    definition, draw = lookup(name), random.Random(name)
    for sample in collect()[name]:
        types, lengths = named(sample.operands, draw)
        try:
            inferred = infer_types(definition, types, sample.attrs)
        except Dy2stError:
            continue
        with np.errstate(all="ignore"):
            found = definition.kernel(*copy.deepcopy(sample.operands), **sample.attrs)
        for value, type_ in zip(found if len(inferred) > 1 else [found], inferred):
            if isinstance(type_, TensorType) and type_.shape is not None:
                assert all(n is None or lengths.get(n, n) == length for n, length in zip(type_.shape, np.shape(value))), types
