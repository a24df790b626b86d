"""The arguments of a call as a tree by parameter name, and such a tree as a call."""

from __future__ import annotations

import inspect
from typing import Any

from ...runtime.tensors.tensor import Tensor

VAR_POSITIONAL, VAR_KEYWORD = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD


class MissingArgument(TypeError):
    """Arguments that the function doesn't take, or lacks."""


class Binder:
    """Binds arguments to the parameters of a function or, where it has an owner, of a method without `self`."""

    def __init__(self, function: Any, owner: Any):
        self.name, self._owner = function.__qualname__, owner
        self._signature = inspect.signature(function)

    def __str__(self) -> str:
        """The function with its parameters, for messages."""
        return f"{self.name}{self._signature}"

    @property
    def count(self) -> int:
        """The number of parameters."""
        return len(self._signature.parameters) - (self._owner is not None)

    @property
    def takes_any(self) -> bool:
        """Whether there is `*args`, which takes any number of arguments."""
        return any(map(self.is_rest, self._signature.parameters))

    def is_rest(self, name: str) -> bool:
        """Whether a parameter is `*args`."""
        return self._signature.parameters[name].kind is VAR_POSITIONAL

    def bind(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """The arguments by parameter name, defaults filled in; TypeError as Python's where they don't fit.

        A default that is a tensor, or can be changed (`acc=[]`), is no argument: the function has it, as it has its globals.
        """
        owner = () if self._owner is None else (self._owner,)
        try:
            bound = self._signature.bind(*owner, *args, **kwargs)
        except TypeError as error:
            raise MissingArgument(f"{self}: {error}") from None
        given = set(bound.arguments)
        bound.apply_defaults()
        for name, parameter in self._signature.parameters.items():
            if name not in given and isinstance(parameter.default, list | dict | set | Tensor):
                del bound.arguments[name]
        if self._owner is not None:
            bound.arguments.pop(next(iter(bound.arguments)))
        return dict(bound.arguments)

    def spread(self, bound: dict[str, Any]) -> list[tuple[str, Any]]:
        """The arguments by name, those of `*args` and `**kwargs` one by one."""
        found: list[tuple[str, Any]] = []
        for name, value in bound.items():
            kind = self._signature.parameters[name].kind
            if kind is VAR_POSITIONAL:
                found += [(f"{name}_{i}", item) for i, item in enumerate(value)]
            elif kind is VAR_KEYWORD:
                found += value.items()
            else:
                found.append((name, value))
        return found

    def as_call(self, bound: dict[str, Any]) -> tuple[tuple, dict]:
        """Positional and keyword arguments for a tree by parameter name."""
        args: list = []
        kwargs: dict = {}
        left_out = False  # a default that stays, so that what comes after it has no position
        for name, parameter in list(self._signature.parameters.items())[self._owner is not None :]:
            if name not in bound:
                left_out = True
            elif parameter.kind is VAR_POSITIONAL:
                args.extend(bound[name])
            elif parameter.kind is VAR_KEYWORD:
                kwargs.update(bound[name])
            elif parameter.kind is inspect.Parameter.KEYWORD_ONLY or left_out:
                kwargs[name] = bound[name]
            else:
                args.append(bound[name])
        return tuple(args), kwargs
