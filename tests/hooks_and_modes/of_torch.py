"""PyTorch modules with a call of their own: what is done to a module, by name."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

import dy2st.torch
from dy2st.static import InputSpec

SPECS = [InputSpec([None, 3], "float32", "x")]


class Body(nn.Module):
    """Does something else in each mode; no random number can be seen, since dropout drops everything."""

    def __init__(self) -> None:
        super().__init__()
        self.fc, self.norm, self.drop = nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Dropout(1.0)
        with torch.no_grad():
            self.fc.weight.copy_(torch.arange(9.0).reshape(3, 3) / 9 - 0.4)
            self.fc.bias.copy_(torch.tensor([0.1, -0.2, 0.3]))

    def forward(self, x: Any) -> Any:
        y = self.fc(x) + self.norm(x) + self.drop(x)
        return y + 10 if self.training else y


class Outer(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Any) -> Any:
        return self.inner(x * 2) + 1


class WithCall(Body):
    def __call__(self, x: Any) -> Any:
        return super().__call__(x) + 100


class WithCallOfPath(Body):
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if args[0].sum() > 0:
            return super().__call__(*args, **kwargs)
        return args[0] * 5


class WithCallOfMode(Body):
    def __call__(self, x: Any) -> Any:
        return super().__call__(x) * 2 if self.training else super().__call__(x)


class WithoutForward(Body):
    def __call__(self, x: Any) -> Any:
        return self.fc(x) * 3


class WithCallImpl(Body):
    def _call_impl(self, *args: Any, **kwargs: Any) -> Any:
        return super()._call_impl(*args, **kwargs) - 50


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


class WithForwardCalled(Body):
    def forward(self, x: Any) -> Any:
        return super().forward(x)


class CallsForward(Outer):
    def forward(self, x: Any) -> Any:
        return self.inner.forward(x * 2) + 1


class Doubled(nn.Module):
    def forward(self, weight: Any) -> Any:
        return weight * 2


# What hooks around forward give. `of` is the result, or the arguments; `made` puts a new one in their place.
GIVES: dict[str, Callable] = {
    "None": lambda module, of, made: None,
    "a value": lambda module, of, made: made(of * 2),
    "None by path": lambda module, of, made: made(of * 2) if of.sum() > 0 else None,
    "values by path": lambda module, of, made: made(of * 2) if of.sum() > 0 else made(of - 1),
    "a value by mode": lambda module, of, made: made(of * 2) if module.training else None,
    "an error by path": lambda module, of, made: made(of * 2) if of.sum() > 0 else _failed(),
}


def _failed() -> Any:
    raise ValueError("no")


def _pair(x: Any) -> tuple:
    return (x,), {}


def _pre(gives: Callable) -> Callable:
    return lambda module, args: gives(module, args[0], lambda x: (x,))


def _bare(gives: Callable) -> Callable:
    return lambda module, args: gives(module, args[0], lambda x: x)


def _pre_with_kwargs(gives: Callable) -> Callable:
    return lambda module, args, kwargs: gives(module, args[0], _pair)


def _post(gives: Callable) -> Callable:
    return lambda module, args, out: gives(module, out, lambda x: x)


def _post_with_kwargs(gives: Callable) -> Callable:
    return lambda module, args, kwargs, out: gives(module, out + args[0], lambda x: x)


def _global(register: Callable, hook: Callable, module: nn.Module, **more: Any) -> Any:
    """A hook of all modules, which is that of one."""
    cls = type(module)
    of_one = lambda each, *args: hook(each, *args) if isinstance(each, cls) else None  # noqa: E731
    return register(of_one, **more)


HOOKS: dict[str, Callable] = {
    "pre hook": lambda m, gives: m.register_forward_pre_hook(_pre(gives)),
    "pre hook, bare": lambda m, gives: m.register_forward_pre_hook(_bare(gives)),
    "pre hook with kwargs": lambda m, gives: m.register_forward_pre_hook(_pre_with_kwargs(gives), with_kwargs=True),
    "hook": lambda m, gives: m.register_forward_hook(_post(gives)),
    "hook with kwargs": lambda m, gives: m.register_forward_hook(_post_with_kwargs(gives), with_kwargs=True),
    "hook, prepended": lambda m, gives: _prepended(m, gives),
    "hook, always called": lambda m, gives: m.register_forward_hook(_post(gives), always_call=True),
    "two hooks": lambda m, gives: _two(m, gives),
    "hook, removed": lambda m, gives: m.register_forward_hook(_post(gives)).remove(),
    "global pre hook": lambda m, gives: _global(nn.modules.module.register_module_forward_pre_hook, _pre(gives), m),
    "global hook": lambda m, gives: _global(nn.modules.module.register_module_forward_hook, _post(gives), m),
}


ALL = ("pre hook", "hook", "pre hook with kwargs", "hook with kwargs")  # of which each tries all
FEW = ("a value", "None by path")


def _two(module: nn.Module, gives: Callable) -> None:
    module.register_forward_pre_hook(_pre(gives))
    module.register_forward_hook(_post(gives))


def _prepended(module: nn.Module, gives: Callable) -> None:
    module.register_forward_hook(lambda mod, args, out: out + 3)
    module.register_forward_hook(_post(gives), prepend=True)


def _hooked(hook: str, gives: str) -> Callable:
    return lambda module: HOOKS[hook](module, GIVES[gives])


def _forward_on_instance(module: Any) -> None:
    module.forward = types.MethodType(lambda self, x: self.fc(x) * 7, module)


def _call_impl_on_instance(module: Any) -> None:
    impl = module._call_impl
    module._call_impl = lambda *args, **kwargs: impl(*args, **kwargs) * 7


def _parametrized(module: Any) -> None:
    nn.utils.parametrize.register_parametrization(module.fc, "weight", Doubled())


CLASSES: dict[str, type] = {
    "__call__": WithCall, "__call__ by path": WithCallOfPath, "__call__ by mode": WithCallOfMode,
    "__call__ without forward": WithoutForward, "_call_impl": WithCallImpl, "__getattr__": WithGetattr,
    "train of its own": WithTrain, "super().forward": WithForwardCalled,
}  # fmt: skip
CHANGES: dict[str, Callable] = {
    "nothing": lambda module: None,
    "forward on the instance": _forward_on_instance,
    "_call_impl on the instance": _call_impl_on_instance,
    "parametrization": _parametrized,
    "weight_norm": lambda module: nn.utils.parametrizations.weight_norm(module.fc),
    "old weight_norm": lambda module: nn.utils.weight_norm(module.fc),
    "module.compile": lambda module: module.compile(),
    "state_dict hooks": lambda module: _state_dict_hooks(module),
    "backward hook": lambda module: module.register_full_backward_hook(lambda *args: None),
    "backward pre hook": lambda module: module.register_full_backward_pre_hook(lambda *args: None),
    **{f"{hook}: {gives}": _hooked(hook, gives) for hook in HOOKS for gives in (GIVES if hook in ALL else FEW)},
}
DOES = (*CLASSES, *CHANGES)


def _state_dict_hooks(module: nn.Module) -> None:
    module.register_state_dict_pre_hook(lambda *args: _failed())
    module.register_state_dict_post_hook(lambda *args: _failed())
    module.register_load_state_dict_pre_hook(lambda *args: _failed())


def body(does: str) -> nn.Module:
    """A module of the class that a name stands for."""
    return CLASSES.get(does, Body)()


def in_place(module: nn.Module, where: str) -> nn.Module:
    """The module itself, or another one that has it as a part."""
    return {"root": lambda inner: inner, "child": Outer, "child, its forward": CallsForward}[where](module)


def change(does: str, module: nn.Module) -> None:
    """Do to a module what a name stands for."""
    CHANGES.get(does, lambda module: None)(module)


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """No global hook outlives this."""
    tables = [getattr(nn.modules.module, name) for name in dir(nn.modules.module) if name.startswith("_global_")]
    dicts = [table for table in tables if isinstance(table, dict)]
    before = [dict(table) for table in dicts]
    try:
        yield
    finally:
        for table, held in zip(dicts, before):
            table.clear()
            table.update(held)


def static(module: nn.Module) -> Any:
    """The module as one that runs as a Program."""
    return dy2st.torch.to_static(module, SPECS)


def plain(module: nn.Module, x: list) -> Any:
    """What a call gives, as an array."""
    return module(torch.tensor(x)).detach().numpy()
