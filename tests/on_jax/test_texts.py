"""Texts that the run makes, in messages, results and print, against plain Python."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the engine needs the extra 'jax'")

import dy2st as paddle
from dy2st.static import InputSpec

X = np.asarray([0.5, -2.0], "float32")
SPECS = [InputSpec([2], "float32", "x"), InputSpec([], "int64", "n")]


def of_values(x, n):
    return f"{int(n)} of {float(x.sum()):.3f}, {x} {n!r:>30} {bool(x.max() > 0)} {x.sum().item()}", "%05d|%s" % (int(n), x.max())


def by_path(x, n):
    if n > 2:
        text, other = f"many: {int(n)}", "a"
    elif n > 1:
        text, other = "two", f"{x.sum().item():e}"
    else:
        text, other = str(x), "b"
    return f"<{text}> " + other


def carried(x, n):
    text = "none"
    for k in range(int(n)):
        text = f"turn {k}: {x[0].item() * k:.2f}"
        if k == 2:
            text = "two"
    return text


def raises(x, n):
    raise KeyError(f"at {x}: {float(x.max()):+.1e} and {[1, int(n)][1] * 2}")


def outcome(call):
    try:
        return call()
    except KeyError as error:
        return repr(error)


@pytest.mark.parametrize("function", [of_values, by_path, carried, raises])
def test_texts(function):
    static = paddle.jit.to_static(function, input_spec=SPECS, backend="jax")
    with paddle.no_grad():
        for n in (0, 1, 2, 3, 5):
            given = paddle.to_tensor(X), paddle.to_tensor(n)
            assert outcome(lambda given=given: static(*given)) == outcome(lambda given=given: function(*given))
