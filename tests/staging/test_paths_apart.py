"""A function that is refused where None met another kind is staged with its paths apart, once, and stays right."""

from __future__ import annotations

import threading
from abc import ABC

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.errors import ConversionError
from dy2st.runtime.stage import paths_apart
from dy2st.static import InputSpec


class Cache(ABC):
    """An object of such a class, made in the call, can't be a value of the Program."""

    def __init__(self):
        self.keys = None

    def add(self, key):
        self.keys = key if self.keys is None else paddle.concat([self.keys, key])
        return self.keys


def beside_a_cache(x, mask):
    if mask.all():
        mask = None
    inputs = {"cache": Cache()}
    if mask is not None:
        inputs["mask"] = mask
    total = inputs["cache"].add(x).sum()
    return total * len(inputs) if mask is None else total + inputs["mask"].astype("float32").sum()


def in_two_ifs(x, mask):
    scale = weight = None
    if len(x.shape) == 1:
        if mask.any():
            scale = x.max()
        weight = x.min()
    kept = {"cache": Cache()}
    if scale is not None:
        kept["scale"] = scale * weight
    for k in range(len(kept)):
        x = kept["cache"].add(x * k)
    return x.sum()


def in_a_called_function(x, mask):
    return beside_a_cache(x * 2, mask) + in_two_ifs(x, mask)


def _with_options(x, mask, **options):
    if mask.all():
        mask = None
    inputs = {"cache": Cache()}
    if mask is not None:
        inputs["mask"] = mask
    total = inputs["cache"].add(x).sum() * len(options)
    return total * len(inputs) if mask is None else total + inputs["mask"].astype("float32").sum()


def in_a_function_of_staged_keywords(x, mask):
    options = {}
    if x.sum() > 2:
        options["scale"] = 2.0
    return _with_options(x, mask, **options)


FUNCTIONS = [beside_a_cache, in_two_ifs, in_a_called_function, in_a_function_of_staged_keywords]
VECTOR, MASK = InputSpec([None], "float32", "x"), InputSpec([None], "bool", "mask")
CALLS = [([1.0, 2.0], [True, True]), ([1.0, 2.0, 4.0], [True, False, True]), ([3.0], [False])]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_agrees_with_plain_python(function):
    static = jit.to_static(function, input_spec=[VECTOR, MASK])
    for x, mask in CALLS:
        given = paddle.to_tensor(x), paddle.to_tensor(mask)
        np.testing.assert_allclose(static(*given).numpy(), function(*given).numpy())
    assert len(static.program_cache) == 1


@pytest.mark.parametrize("function", FUNCTIONS)
def test_it_is_refused_with_its_paths_together(function, monkeypatch):
    monkeypatch.setattr(paths_apart, "MOST", 0)
    with pytest.raises(ConversionError):
        jit.to_static(function, input_spec=[VECTOR, MASK]).concrete_program


def test_the_first_refusal_is_told_where_no_way_is_taken():
    def refused(x, mask):
        if mask.all():
            mask = None
        return threading.Lock(), x, mask

    with pytest.raises(ConversionError, match="makes a lock|Lock|allocate_lock"):
        jit.save(jit.to_static(refused, input_spec=[VECTOR, MASK]), "/nonexistent/refused")
