"""`**more`: a dict that is new at each call, which control flow that tensors decide may change."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

from .agreement import assert_agrees, functions_of


def with_more(kw):
    kw["m"] = paddle.concat([kw["m"], paddle.ones([1])])
    return kw


def decode(x, n, **kw):
    i = paddle.zeros([], dtype="int64")
    while i < n:
        kw = with_more(kw)
        x = x + kw["m"].sum()
        i += 1
    return x, kw["m"]


def r_02_a_helper_changes_it_in_a_loop(x, n):
    return decode(x, n, m=paddle.zeros([1]))


def r_02_a_dict_is_handed_on(x, n):
    kw = {"m": paddle.zeros([1]), "use_cache": True}
    return decode(x, n, **kw), kw["m"], len(kw)


def model(x, cache=None, mask=None):
    cache = x * 2 if cache is None else paddle.concat([cache, x * 2])
    return x + cache.sum(), cache


def prepared(x, **kw):
    return {"x": x, "cache": kw.get("cache"), "mask": kw.get("mask")}


def updated(outputs, kw):
    kw["cache"] = outputs[1]
    if kw.get("mask") is not None:
        kw["mask"] = paddle.concat([kw["mask"], kw["mask"][-1:]])
    return kw


def generate(x, n, **kw):
    i = 0
    while i < n:
        outputs = model(**prepared(x, **kw))
        x = outputs[0][-1:]
        kw = updated(outputs, kw)
        i += 1
    return x, kw.get("cache"), kw.get("mask"), len(kw)


def r_02_a_cache_that_begins_as_none(x, n):
    return generate(x, n, cache=None)


def r_02_a_cache_that_is_missing_at_first(x, n):
    return generate(x, n)


def r_02_a_mask_grows_with_it(x, n):
    return generate(x, n, mask=paddle.ones([1]))


def stored_on_one_path(x, n, **kw):
    if x.sum() > 2:
        kw["m"] = x * 3
    return kw


def r_02_stored_on_one_path(x, n):
    kw = {"k": x}
    found = stored_on_one_path(x, n, **kw)
    return sorted(found), sorted(kw), stored_on_one_path(x, n)


def popped(x, n, **kw):
    for _ in range(n):
        kw["m"] = kw.pop("m") + kw.setdefault("d", x)
        kw.update(d=kw["d"] * 2)
    return kw


def r_02_its_methods(x, n):
    return popped(x, n, m=x)


def recursive(x, n, **kw):
    kw["d"] = kw["d"] + 1
    return kw["d"] if n <= 0 else recursive(x, n - 1, **kw) + kw["d"]


def r_02_in_a_recursion(x, n):
    return recursive(x, n, d=x)


def doubled(n, **kw):
    """Items of a dict that goes on changing."""
    for _ in range(n):
        kw["d"] = kw["d"] * 2
        yield kw["d"]


def r_02_in_a_generator(x, n):
    return list(doubled(n, d=x))


def r_02_in_an_inner_function(x, n):
    def counted(**kw):
        kw["q"] = kw.get("q", 0) + 1
        return kw

    found = {}
    for _ in range(n):
        found = counted(**found)
    return found


class Kept:
    def __init__(self, **kw):
        self.kw = kw

    def step(self, x):
        self.kw["x"] = self.kw["x"] + x


def r_02_kept_by_an_object(x, n):
    kept = Kept(x=x)
    for _ in range(n):
        kept.step(x)
    return kept.kw["x"]


class Shifted(paddle.nn.Layer):
    def forward(self, x, shift=None, **more):
        return x * 2 if shift is None else x + shift, len(more)

    @paddle.no_grad()
    def without_gradients(self, x, *rest, shift=None, **more):
        return self(x, shift=shift, **more), len(rest)


LAYER = Shifted()


def r_02_a_layer_gets_keywords_that_the_path_decides(x, n):
    kw = {"x": x, "other": x}
    if n > 1:
        kw["shift"] = x * 3
    return LAYER(**kw), LAYER.without_gradients(*([x] * n), x, **{key: kw[key] for key in kw if key != "x"})


CASES = [f for f in functions_of(globals()) if f.__name__.startswith("r_02")]


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_it_agrees(function):
    assert_agrees(function)


def test_r_02_of_the_static_function_itself():
    def forward(x, **kw):
        if x.sum() > 0:
            kw["b"] = kw["a"] * 2
        return kw

    given = {"a": paddle.ones([2])}
    static = paddle.jit.to_static(forward, input_spec=[InputSpec([2])])
    for value in (1.0, -1.0):
        x = paddle.full([2], value)
        expected, found = forward(x, **given), static(x, **given)
        assert list(found) == list(expected) and list(given) == ["a"]
        for key in found:
            np.testing.assert_array_equal(found[key].numpy(), expected[key].numpy())


def test_a_function_that_only_hands_it_on_stays_as_it_is():
    def forward(x, **kw):
        return prepared(x, **kw)

    static = paddle.jit.to_static(forward)
    static(paddle.ones([1]))
    assert "_jst.new" not in static.code


def test_s1_methods_and_generators_made_inside_have_dicts_of_their_own():
    def made(x):
        class Named:
            def told(self, **more):
                more["own"] = 1
                return sorted(more)

        def names(**more):
            more["generated"] = 2
            yield from sorted(more)

        return x, Named().told(a=1), list(names(b=2))

    x = paddle.to_tensor([1.0])
    assert paddle.jit.to_static(made)(x)[1:] == made(x)[1:]
