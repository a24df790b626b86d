"""Mistakes that type checkers find: the marked lines, and no others. `test_calls.py` has mypy and pyright read it."""

from __future__ import annotations

import dy2st as paddle
from dy2st import Tensor, nn
from dy2st.jit import to_static


@to_static
def scaled(x: Tensor, by: int) -> Tensor:
    return x * by


class Static(nn.Layer):
    @to_static
    def forward(self, x: Tensor) -> Tensor:
        return x


x = paddle.to_tensor([1.0])
x.resahpe([1])  # mistake
x.reshape(shap=[1])  # mistake
x.sum(keepdim="yes")  # mistake
paddle.maximun(x, x)  # mistake
paddle.abs(x, outs=x)  # mistake
scaled(x)  # mistake
scaled(x, by="two")  # mistake
nn.Linear(2)  # mistake
nn.Linear(2, 3)(x, 4)  # mistake
Static()("x")  # mistake
paddle.jit.to_statik(scaled)  # mistake
