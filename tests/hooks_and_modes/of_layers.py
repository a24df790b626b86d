"""Layers, whose names are Paddle's, with a call of their own: what is done to a layer, by name."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import dy2st as paddle
from dy2st import nn
from dy2st.static import InputSpec

SPECS = [InputSpec([None, 3], "float32", "x")]


class Body(nn.Layer):
    """Does something else in each mode; no random number can be seen, since dropout drops everything."""

    def __init__(self) -> None:
        super().__init__()
        self.fc, self.norm, self.drop = nn.Linear(3, 3), nn.BatchNorm1D(3), nn.Dropout(1.0)
        self.fc.weight.set_value(np.arange(9, dtype="float32").reshape(3, 3) / 9 - 0.4)

    def forward(self, x: Any) -> Any:
        y = self.fc(x) + self.norm(x) + self.drop(x)
        return y + 10 if self.training else y


class Outer(nn.Layer):
    def __init__(self, inner: nn.Layer) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Any) -> Any:
        return self.inner(x * 2) + 1


class CallsForward(Outer):
    def forward(self, x: Any) -> Any:
        return self.inner.forward(x * 2) + 1


class WithCall(Body):
    def __call__(self, x: Any) -> Any:
        return super().__call__(x) + 100


class WithCallOfPath(Body):
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if args[0].sum() > 0:
            return super().__call__(*args, **kwargs)
        return args[0] * 5


class WithGetattr(Body):
    def __getattr__(self, name: str) -> Any:
        if name == "scale":
            return 3.0
        return super().__getattr__(name)

    def forward(self, x: Any) -> Any:
        return super().forward(x) * self.scale


class WithTrain(Body):
    def train(self, mode: bool = True) -> Any:
        super().train(mode)
        self.norm.eval()
        return self


GIVES: dict[str, Callable] = {
    "None": lambda layer, of, made: None,
    "a value": lambda layer, of, made: made(of * 2),
    "None by path": lambda layer, of, made: made(of * 2) if of.sum() > 0 else None,
    "values by path": lambda layer, of, made: made(of * 2) if of.sum() > 0 else made(of - 1),
    "a value by mode": lambda layer, of, made: made(of * 2) if layer.training else None,
}
HOOKS: dict[str, Callable] = {
    "pre hook": lambda m, gives: m.register_forward_pre_hook(lambda layer, args: gives(layer, args[0], lambda x: (x,))),
    "pre hook, bare": lambda m, gives: m.register_forward_pre_hook(lambda layer, args: gives(layer, args[0], lambda x: x)),
    "hook": lambda m, gives: m.register_forward_post_hook(lambda layer, args, out: gives(layer, out, lambda x: x)),
}


def _hooked(hook: str, gives: str) -> Callable:
    return lambda layer: HOOKS[hook](layer, GIVES[gives])


def _forward_on_instance(layer: Any) -> None:
    layer.forward = types.MethodType(lambda self, x: self.fc(x) * 7, layer)


CLASSES: dict[str, type] = {
    "__call__": WithCall, "__call__ by path": WithCallOfPath, "__getattr__": WithGetattr, "train of its own": WithTrain,
}  # fmt: skip
CHANGES: dict[str, Callable] = {
    "nothing": lambda layer: None,
    "forward on the instance": _forward_on_instance,
    "old weight_norm": lambda layer: nn.utils.weight_norm(layer.fc),
    **{f"{hook}: {gives}": _hooked(hook, gives) for hook in HOOKS for gives in GIVES},
    "hook, removed": lambda layer: layer.register_forward_post_hook(lambda *args: 0).remove(),
}
DOES = (*CLASSES, *CHANGES)


def body(does: str) -> nn.Layer:
    """A layer of the class that a name stands for."""
    return CLASSES.get(does, Body)()


def in_place(layer: nn.Layer, where: str) -> nn.Layer:
    """The layer itself, or another one that has it as a part."""
    return {"root": lambda inner: inner, "child": Outer, "child, its forward": CallsForward}[where](layer)


def change(does: str, layer: nn.Layer) -> None:
    """Do to a layer what a name stands for."""
    CHANGES.get(does, lambda layer: None)(layer)


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """There are no hooks of all layers."""
    yield


def static(layer: nn.Layer) -> Any:
    """The layer as one that runs as a Program."""
    return paddle.jit.to_static(layer, SPECS)


def plain(layer: nn.Layer, x: list) -> Any:
    """What a call gives, as an array."""
    return layer(paddle.to_tensor(np.asarray(x, "float32"))).numpy()
