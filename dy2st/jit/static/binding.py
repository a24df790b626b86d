"""The arguments of a call as a tree by parameter name, and such a tree as a call."""

from __future__ import annotations

import inspect
from typing import Any

from ...annotations import signature_of
from ...runtime.tensors.tensor import Tensor
from ..interface.argument_tree import KeptDefault

VAR_POSITIONAL, VAR_KEYWORD = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD


class MissingArgument(TypeError):
    """Arguments that the function doesn't take, or lacks."""


class Binder:
    """Binds arguments to the parameters of a function or, where it has an owner, of a method without `self`.

    Where a decorator's function takes `*args, **kwargs`, they are bound to the parameters of the decorated function, until a call
    doesn't fit those: the decorator may give some of the arguments itself.

    cast, tensor: how users write a cast, and a tensor of a number, in messages.
    """

    cast, tensor = "{}.astype('{}')", "dy2st.to_tensor({})"

    def __init__(self, function: Any, owner: Any):
        self.name, self._is_method = function.__qualname__, owner is not None
        self._function = function
        self._follow(takes_anything(function))

    def _follow(self, decorated: bool) -> None:
        """Bind to the parameters of the decorated function, or to those of the decorator's own."""
        self._is_followed = decorated
        self._written = signature_of(self._function, follow_wrapped=decorated)
        parameters = list(self._written.parameters.values())
        has_self = self._is_method and bool(parameters) and parameters[0].kind is not VAR_POSITIONAL
        self._signature = self._written.replace(parameters=parameters[has_self:])

    def __str__(self) -> str:
        """The function with its parameters, for messages."""
        return f"{self.name}{self._written}"

    @property
    def count(self) -> int:
        """The number of parameters."""
        return len(self._signature.parameters)

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
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            if not self._is_followed:
                raise MissingArgument(f"{self}: {error}") from None
            self._follow(False)
            return self.bind(args, kwargs)
        given = set(bound.arguments)
        if not self._is_followed:
            bound.apply_defaults()
        for name, parameter in self._signature.parameters.items():
            if name not in given and isinstance(parameter.default, list | dict | set | Tensor):
                del bound.arguments[name]
        return dict(bound.arguments)

    def spread(self, bound: dict[str, Any]) -> list[tuple[str, Any]]:
        """The arguments by name, those of `*args` and `**kwargs` one by one; of a default that is no argument, what it is."""
        found: list[tuple[str, Any]] = []
        for name, parameter in self._signature.parameters.items():
            if parameter.kind is VAR_POSITIONAL:
                found += [(f"{name}_{i}", item) for i, item in enumerate(bound.get(name, ()))]
            elif parameter.kind is VAR_KEYWORD:
                found += bound.get(name, {}).items()
            else:
                found.append((name, bound[name] if name in bound else KeptDefault(type(parameter.default).__name__)))
        return found

    def as_call(self, bound: dict[str, Any]) -> tuple[tuple, dict]:
        """Positional and keyword arguments for a tree by parameter name."""
        args: list = []
        kwargs: dict = {}
        left_out = False  # a default that stays, so that what comes after it has no position
        for name, parameter in self._signature.parameters.items():
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


def takes_anything(function: Any) -> bool:
    """Whether a function takes `*args, **kwargs` and nothing else."""
    parameters = signature_of(function, follow_wrapped=False).parameters.values()
    return {p.kind for p in parameters} == {VAR_POSITIONAL, VAR_KEYWORD}
