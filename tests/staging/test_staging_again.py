"""Staging again and again takes no longer each time: what a static function keeps for its calls is never searched."""

from __future__ import annotations

import dy2st as paddle
from dy2st.runtime.outside.roots import Roots


class Threshold(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.k = 0.0

    def forward(self, x):
        if all(e > self.k for e in x):
            return x
        return -x


static = paddle.jit.to_static(Threshold())


def reads_a_global(x):
    return static(x)


def test_e_17_no_search_enters_the_programs():
    for k in range(3):
        static.k = float(k)
        static(paddle.ones([2]))
    roots, program = Roots(reads_a_global), next(iter(static.forward.program_cache))
    assert roots.path(static) is not None
    assert roots.path(program) is None
