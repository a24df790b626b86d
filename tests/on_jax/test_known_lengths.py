"""Lengths that depend on elements, in JAX: computed where the elements are known, refused in words elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the engine needs the extra 'jax'")

import dy2st as paddle
from dy2st import jit
from dy2st.errors import EngineError
from dy2st.static import InputSpec

KNOWN = np.array([[3, 1], [3, 1], [0, 2]])
USES = {
    "unique": lambda x: paddle.unique(x, return_index=True, return_inverse=True, return_counts=True),
    "unique rows": lambda x: paddle.unique(x, axis=0, return_inverse=True),
    "nonzero": lambda x: paddle.nonzero(x),
    "mask": lambda x: x[x > 1],
    "set": lambda x: paddle.to_tensor(len({int(v) for v in x.flatten()})),
}


@pytest.mark.parametrize("name", USES)
def test_of_known_elements(name):
    use = USES[name]

    def f(x):
        found = use(paddle.to_tensor(KNOWN))
        return [part + x for part in (found if isinstance(found, tuple) else (found,))]

    x = paddle.to_tensor(2)
    given = jit.to_static(f, [InputSpec([], "int64")], backend="jax")(x)
    assert [part.tolist() for part in given] == [part.tolist() for part in f(x)]


@pytest.mark.parametrize("name", [name for name in USES if name not in ("nonzero", "mask")])  # those have a form
def test_of_elements_that_the_run_tells(name):
    f = jit.to_static(USES[name], [InputSpec([3, 2], "int64")], backend="jax")
    with pytest.raises(EngineError, match="a length depends on elements.* pad to a known length, and mask"):
        f(paddle.to_tensor(KNOWN))
