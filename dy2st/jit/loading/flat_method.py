"""A method of a loaded model under Paddle's convention: tensors go in one by one, and come out in a list."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from types import NoneType
from typing import Any

from ...errors import ConversionError
from ...runtime.proxies import Staged
from ...runtime.tensors.spec import is_tensor
from ...runtime.tensors.tensor import Tensor
from ...utils import flatten
from ..interface import argument_tree
from .saved_method import SavedMethod


class FlatMethod(SavedMethod):
    """Takes the tensors of the saved one's arguments by position, those of a dict by sorted keys; constants are the saved ones.

    Gives the tensors of the result in the same order: one as it is, else a list. ValueError: the model changes a container.
    """

    def __init__(self, owner: Any, name: str):
        super().__init__(owner, name)
        if self._changed:
            _, spec = self._changed[0]
            raise ValueError(f"flat=True: {self._label} takes and changes {spec.name}, a {spec.type}: load it without flat")
        numbers, inputs = count(), [leaf["tensor"] for _, node in self.nodes for leaf in argument_tree.leaves(node)]
        self._leaves = [(place, inputs[place]) for place in flatten([_places(node, numbers) for _, node in self.nodes])]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found = flatten(super().__call__(*args, **kwargs))
        for item in found:
            self._refuse_hidden(item)
        given = list(filter(is_tensor, found))
        return given[0] if len(given) == 1 else given

    def bound(self, layer: Any, args: tuple, kwargs: dict[str, Any], out: Any) -> Any:
        """TypeError: what is bound mirrors the saved structure."""
        raise TypeError(f"{self._label} was loaded with flat=True: bind takes the saved arguments and result, so load it without")

    def _refuse_hidden(self, item: Any) -> None:
        """ConversionError for a part of the result, neither list, tuple nor dict, that may hold tensors."""
        if not isinstance(item, Tensor | str | bytes | int | float | complex | NoneType):
            raise ConversionError(
                f"{self._label} was loaded with flat=True, but its result holds a {type(item).__name__}"
                f"{' that only the Program knows' if isinstance(item, Staged) else ''}: load it without flat"
            )

    def _inputs(self, args: tuple, kwargs: dict[str, Any]) -> list[Any]:
        if kwargs or len(args) != len(self._leaves):
            names = ", ".join(leaf["name"] for _, leaf in self._leaves)
            given = f"{len(args)} and {', '.join(kwargs)} by keyword" if kwargs else str(len(args))
            raise TypeError(f"{self._label} was loaded with flat=True: it takes tensors by position ({names}), not {given}")
        inputs: list[Any] = [None] * len(args)
        for (place, leaf), value in zip(self._leaves, args):
            inputs[place] = argument_tree.checked(leaf, value, leaf["name"])
        return inputs


def _places(node: dict, numbers: Iterator[int]) -> Any:
    """The structure of an argument, with the number of each input in its place."""
    if "tensor" in node:
        return next(numbers)
    places = [_places(child, numbers) for child in argument_tree.children(node)]
    return dict(zip((key for key, _ in node["dict"]), places)) if "dict" in node else places
