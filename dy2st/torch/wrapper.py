"""`dy2st.torch.to_static`: a PyTorch module that is called as before, and runs as a Program."""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import autograd
from ..jit.interface.layer_names import names_of
from ..jit.static.concrete import ConcreteProgram
from ..jit.static.static_function import StaticFunction
from ..runtime.outside.facts import StateSlot
from ..runtime.stage.stage import stage
from ..runtime.tensors.tensor import Tensor
from .calls import recording_calls, table
from .mirror import Mirror, Tensors, array_of
from .packages import torch
from .policy import TorchPolicy


class TorchFunction(StaticFunction):
    """A method of a PyTorch module, staged with torch's face on its tensors."""

    mirror: Mirror
    tensors: Tensors

    def _stage(self, specs: dict[str, Any], state: Iterable[StateSlot] = (), for_a_call: bool = False) -> ConcreteProgram:
        args, kwargs = self._binder.as_call(specs)
        table()
        with recording_calls():
            staged = stage(
                self._function, self._owner, args, kwargs, names_of(self.mirror), policy=TorchPolicy(self.tensors), state=state,
                for_a_call=for_a_call,
            )  # fmt: skip
        return self._concrete(staged, specs, self.mirror.training)


class StaticModule(Mirror):
    """A PyTorch module whose methods are Programs."""

    def __init__(self, module: Any, input_spec: Any):
        tensors = Tensors()
        super().__init__(module, tensors)
        vars(self)["module"], vars(self)["tensors"] = module, tensors
        function = TorchFunction(type(module).forward, input_spec, module)
        function.mirror, function.tensors = self, tensors
        vars(self)["forward"] = function
        self.training = module.training

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _called(self.forward, self, args, kwargs)

    @property
    def code(self) -> str:
        """The rewritten source."""
        return self.forward.code


def to_static(module: Any, input_spec: Any = None) -> Any:
    """A PyTorch module or function as a static one; it stays unchanged."""
    return StaticModule(module, input_spec)


def _called(function: TorchFunction, layer: Mirror, args: tuple, kwargs: dict) -> Any:
    given = [x for x in (*args, *kwargs.values()) if isinstance(x, torch().Tensor)]
    parameters = [x for _, x in layer.module.named_parameters()]
    wants = torch().is_grad_enabled() and any(x.requires_grad for x in (*given, *parameters))
    if not wants:
        from .. import no_grad

        with no_grad():
            return _map(_to_torch, function(*_map(_to_tensor, args), **_map(_to_tensor, kwargs)))
    return _Run.call(function, args, kwargs, given, parameters, layer)


def _to_tensor(x: Any, grad: bool = False) -> Any:
    return Tensor(array_of(x), stop_gradient=not (grad and x.requires_grad)) if isinstance(x, torch().Tensor) else x


def _to_torch(x: Any) -> Any:
    return torch().from_numpy(np.asarray(x._data)) if isinstance(x, Tensor) else x


def _map(change: Any, value: Any) -> Any:
    if type(value) in (tuple, list):
        return type(value)(_map(change, x) for x in value)
    if isinstance(value, tuple):
        return type(value)(*(_map(change, x) for x in value))
    return {k: _map(change, x) for k, x in value.items()} if type(value) is dict else change(value)


class _Run:
    """One call that takes part in torch's autograd."""

    @classmethod
    def call(cls, function: Any, args: tuple, kwargs: dict, given: list, parameters: list, layer: Any) -> Any:
        made = {id(x): _to_tensor(x, grad=True) for x in given}
        change = lambda x: made[id(x)] if isinstance(x, torch().Tensor) else x  # noqa: E731
        result = function(*_map(change, args), **_map(change, kwargs))
        outs: list[Tensor] = []
        _map(lambda x: outs.append(x) if isinstance(x, Tensor) else None, result)
        inputs = [x for x in (*given, *parameters) if x.requires_grad]
        ours = [made[id(x)] if id(x) in made else layer.tensors.of(x) for x in inputs]

        class Run(torch().autograd.Function):
            @staticmethod
            def forward(ctx: Any, *tensors: Any) -> Any:
                found = tuple(_to_torch(x) for x in outs)
                ctx.mark_non_differentiable(*(t for t, x in zip(found, outs) if x.stop_gradient))
                return found

            @staticmethod
            def backward(ctx: Any, *gradients: Any) -> Any:
                pairs = [(x, g) for x, g in zip(outs, gradients) if not x.stop_gradient and g is not None]
                grads = autograd.grad([x for x, _ in pairs], ours, [Tensor(array_of(g)) for _, g in pairs], allow_unused=True, retain_graph=True)
                return tuple(None if g is None else _to_torch(g) for g in grads)

        found = iter(Run.apply(*inputs))
        return _map(lambda x: next(found) if isinstance(x, Tensor) else x, result)
