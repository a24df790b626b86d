"""One call of Paddle's API, written as data: it runs the same with Paddle and with dy2st.

A case is a path (`nn.functional.celu`, `nn.GroupNorm`) and arguments; the NumPy arrays among them become tensors. The
parameters and buffers of a Layer are set by their names, so both libraries must have the same names.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass
class Case:
    """A call `path(*args, **kwargs)`; of a Layer, `path(*init, **options)(*args, **kwargs)`.

    open: axes whose lengths staging doesn't know.
    evaluating: run in inference mode.
    gradients: compare gradients, too.
    of: which of the tensors have one; None means all of floating point.
    """

    path: str
    args: tuple
    kwargs: dict[str, Any] = field(default_factory=dict)
    init: tuple | None = None
    options: dict[str, Any] = field(default_factory=dict)
    open: tuple[int, ...] = (0,)
    evaluating: bool = False
    gradients: bool = True
    of: tuple[int, ...] | None = None

    @property
    def arrays(self) -> list[np.ndarray]:
        return [a for a in leaves((self.args, self.kwargs)) if isinstance(a, np.ndarray)]

    def has_gradient(self, i: int) -> bool:
        return self.gradients and self.arrays[i].dtype.kind == "f" and (self.of is None or i in self.of)


def call(
    path: str, *args: Any, open: tuple[int, ...] = (0,), gradients: bool = True, of: tuple[int, ...] | None = None, **kwargs: Any
) -> Case:
    """A case of a function."""
    return Case(path, args, kwargs, open=open, gradients=gradients, of=of)


class Made:
    """A Layer, made but not called yet."""

    def __init__(
        self, path: str, *init: Any, open: tuple[int, ...] = (0,), evaluating: bool = False, gradients: bool = True,
        **options: Any,
    ):  # fmt: skip
        self.path, self.init, self.options = path, init, options
        self.open, self.evaluating, self.gradients = open, evaluating, gradients

    def __call__(self, *args: Any, **kwargs: Any) -> Case:
        return Case(self.path, args, kwargs, self.init, self.options, self.open, self.evaluating, self.gradients)


layer = Made


def array(*shape: int, dtype: str = "float32", seed: int = 0, scale: float = 1.0) -> np.ndarray:
    """Normal numbers, always the same for the same shape and seed."""
    return (np.random.default_rng([seed, *shape]).standard_normal(shape) * scale).astype(dtype)


def positive(*shape: int, seed: int = 0) -> np.ndarray:
    """Numbers between 0.05 and 0.95."""
    return np.random.default_rng([seed, *shape]).uniform(0.05, 0.95, shape).astype("float32")


def integers(*shape: int, low: int = 0, high: int = 5, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).integers(low, high, shape)


def leaves(tree: Any) -> list:
    """What lies in nested tuples, lists and dicts."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, (tuple, list)) else [tree]


def filled(tree: Any, tensors: list) -> Any:
    """`tree` with the next of `tensors` in place of each array."""
    if isinstance(tree, dict):
        return {name: filled(part, tensors) for name, part in tree.items()}
    if isinstance(tree, (tuple, list)):
        return type(tree)([filled(part, tensors) for part in tree])
    return tensors.pop(0) if isinstance(tree, np.ndarray) else tree


def set_state(paddle: Any, net: Any) -> None:
    """Give each parameter and buffer of a Layer numbers that follow from its name and shape."""
    for name, tensor in net.state_dict().items():
        seed = zlib.crc32(name.encode())
        values = np.random.default_rng(seed).uniform(-0.6, 0.6, tensor.shape)
        if "variance" in name:
            values = np.abs(values) + 0.5
        tensor.set_value(paddle.to_tensor(values.astype("float32")))


def network(paddle: Any, case: Case) -> Any:
    """The case as a Layer of its arrays."""
    target: Any = paddle
    for part in case.path.split("."):
        target = getattr(target, part)

    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.inner = target if case.init is None else target(*case.init, **case.options)

        def forward(self, *tensors):
            left = list(tensors)
            args = filled(case.args, left)
            kwargs = filled(case.kwargs, left)
            return self.inner(*args, **kwargs)

    net = Net()
    if case.evaluating:
        net.eval()
    set_state(paddle, net)
    return net


def weights(shape: list[int]) -> np.ndarray:
    """What the results are weighed with before their sum is differentiated."""
    return np.random.default_rng([7, *shape]).uniform(0.5, 1.5, shape).astype("float32")


def run(paddle: Any, net: Any, case: Case) -> dict[str, np.ndarray]:
    """Results, gradients of inputs and parameters, and what isn't trained of the state afterwards, by name."""
    inputs = [paddle.to_tensor(a, stop_gradient=not case.has_gradient(i)) for i, a in enumerate(case.arrays)]
    outs = [x for x in leaves(net(*inputs)) if x is not None]
    found = {f"out{i}": np.asarray(x.numpy()) for i, x in enumerate(outs)}
    parameters = dict(net.named_parameters())
    floats = [x for x in outs if np.asarray(x.numpy()).dtype.kind == "f" and not x.stop_gradient]
    if case.gradients and floats:
        total = sum((x * paddle.to_tensor(weights(list(x.shape)))).sum() for x in floats)
        total.backward()
        of = {**{f"grad{i}": x for i, x in enumerate(inputs)}, **{f"grad {n}": p for n, p in parameters.items()}}
        found.update({n: x.grad.numpy() for n, x in of.items() if x.grad is not None})
    found.update({f"state {n}": x.numpy().copy() for n, x in net.state_dict().items() if x.stop_gradient})
    return found
