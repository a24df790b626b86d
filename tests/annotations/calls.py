"""Public calls, and what type checkers say of their results: `test_calls.py` has mypy and pyright read this, and runs it."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

import dy2st as paddle
from dy2st import Tensor, nn
from dy2st.dtypes import DType
from dy2st.ir.core import Program
from dy2st.jit import StaticFunction, TranslatedLayer, to_static
from dy2st.nn import Parameter
from dy2st.nn import functional as F
from dy2st.static import InputSpec

if TYPE_CHECKING:
    from typing_extensions import assert_type
else:
    from support.of_type import assert_type

x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])

# Methods of tensors, and operators
assert_type(x, Tensor)
assert_type(x.sum(axis=0), Tensor)
assert_type(x.reshape([4]).unsqueeze(0), Tensor)
assert_type(x.astype("int64"), Tensor)
assert_type(x.clone().sin_(), Tensor)
assert_type(x.topk(1), tuple[Tensor, Tensor])
assert_type(x.split(2), list[Tensor])
assert_type(x.int().bool().float(), Tensor)
assert_type(x.T, Tensor)
assert_type(x.shape, list[int])
assert_type(x.ndim, int)
assert_type(x.size, int)
assert_type(x.dtype, DType)
assert_type(x.grad, Tensor | None)
assert_type(x.stop_gradient, bool)
assert_type(x + 1, Tensor)
assert_type(2 / x, Tensor)
assert_type(x @ x, Tensor)
assert_type(-x, Tensor)
assert_type(x > 0, Tensor)
assert_type(x == x, Tensor)
assert_type(x[0, 1], Tensor)
assert_type(len(x), int)
assert_type(float(x.sum()), float)
assert_type(bool(x.all()), bool)
assert_type([row for row in x], list[Tensor])
x[0] = 5.0

# Functions, dtypes
assert_type(paddle.abs(x), Tensor)
assert_type(paddle.exp(x, out=paddle.zeros([2, 2])), Tensor)
assert_type(paddle.add_(x.clone(), x), Tensor)
assert_type(paddle.concat([x, x]), Tensor)
assert_type(paddle.tensor([1, 2]), Tensor)
assert_type(paddle.linalg.svd(x), tuple[Tensor, Tensor, Tensor])
assert_type(paddle.fft.fft(x, out=paddle.zeros([2, 2], "complex64")), Tensor)
assert_type(paddle.float32, DType)
assert_type(paddle.bool, DType)
assert_type(paddle.is_grad_enabled(), bool)
assert_type(F.softmax(F.relu(x)), Tensor)


# Layers: a call takes and gives what `forward` does
class Net(nn.Layer):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.fc = nn.Linear(2, width)

    def forward(self, x: Tensor, times: int = 1) -> tuple[Tensor, int]:
        return assert_type(self.fc(x), Tensor) * times, times


class Static(nn.Layer):
    @to_static
    def forward(self, x: Tensor, negative: bool = False) -> Tensor:
        return -x if negative else x


net = Net(3)
assert_type(net(x, times=2), tuple[Tensor, int])
assert_type(Static()(x, negative=True), Tensor)
assert_type(nn.Linear(2, 3)(x), Tensor)
assert_type(net.parameters(), list[Parameter])
assert_type(net.state_dict(), dict[str, Tensor])


# Static functions, saved and loaded models
@to_static
def scaled(x: Tensor, by: int) -> Tensor:
    return x * by


@to_static(input_spec=[InputSpec([None, 2], "float32")])
def summed(x: Tensor) -> Tensor:
    return x.sum()


assert_type(scaled(x, 2), Tensor)
assert_type(scaled(x, by=2), Tensor)
assert_type(summed(x), Tensor)
assert_type(scaled.code, str)
assert_type(summed.main_program, Program)
assert_type(summed.to_html(), str)
assert_type(summed.main_program.to_html(), str)
assert_type(to_static(Net(3)), Net)
named: StaticFunction[[Tensor], Tensor] = summed
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "summed")
    assert_type(paddle.jit.save(summed, path), None)
    loaded = paddle.jit.load(path)
    assert_type(loaded, TranslatedLayer | Any)
    assert_type(loaded(x), Any)
optimizer = paddle.optimizer.Adam(learning_rate=0.1, parameters=net.parameters())
assert_type(optimizer.step(), None)
assert_type(x.numpy().shape, tuple[Any, ...])
assert isinstance(x.numpy(), np.ndarray)
