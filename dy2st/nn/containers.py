"""Layers that hold other layers or parameters: Sequential, LayerList, LayerDict, ParameterList, ParameterDict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .layer import Layer
from .parameter import Parameter


def picks_from(parts: Callable[[Any], list | dict]) -> Callable[[Callable], Callable]:
    """Decorator of a `__getitem__`: it picks one of `parts(self)`, also where the index is known only when a Program runs."""

    def mark(method: Callable) -> Callable:
        method.parts = parts  # type: ignore[attr-defined]
        return method

    return mark


class _Numbered(Layer):
    """A list of parts, kept under the names "0", "1", ... in the table `_table`."""

    _table = "_sub_layers"
    _part: tuple[type, ...] = (Layer, type(None))

    @property
    def _parts(self) -> dict[str, Any]:
        return self.__dict__[self._table]

    def _checked(self, part: Any) -> Any:
        if not isinstance(part, self._part):
            raise TypeError(f"{type(self).__name__} holds {self._part[0].__name__}s, not {type(part).__name__}")
        return part

    def _replace(self, parts: Iterable) -> None:
        if not isinstance(parts, Iterable):
            kind = type(self).__name__
            raise TypeError(f"{kind} takes a list, not one {type(parts).__name__}; write {kind}([part])")
        checked = [self._checked(part) for part in parts]
        Layer._epoch[0] += 1
        self._parts.clear()
        self._parts.update((str(i), part) for i, part in enumerate(checked))

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator:
        return iter(list(self._parts.values()))

    @picks_from(list)
    def __getitem__(self, index: Any) -> Any:
        parts = list(self._parts.values())
        return type(self)(parts[index]) if isinstance(index, slice) else parts[index]  # type: ignore[arg-type]

    def __setitem__(self, index: int, part: Any) -> None:
        parts = list(self._parts.values())
        parts[index] = part
        self._replace(parts)

    def __delitem__(self, index: Any) -> None:
        parts = list(self._parts.values())
        del parts[index]
        self._replace(parts)

    def append(self, part: Any) -> Any:
        """Add `part`, a layer or a parameter, at the end; gives this list. TypeError: another kind of part."""
        self._replace([*self, part])
        return self

    def extend(self, parts: Iterable) -> Any:
        """Add `parts`, layers or parameters, at the end; gives this list. TypeError: another kind of part."""
        self._replace([*self, *parts])
        return self

    def insert(self, index: int, part: Any) -> None:
        """Add `part`, a layer or a parameter, before position `index`, an int. TypeError: another kind of part."""
        parts = list(self)
        parts.insert(index, part)
        self._replace(parts)


class LayerList(_Numbered):
    """A list of layers whose parameters are found. It computes nothing itself: its forward is a NotImplementedError.

    sublayers: the first of them; None in place of one keeps its number free. Gives what a list gives: len, iteration, items and
    slices, which are read and written; their inputs, of any shape and dtype, go to them alone. TypeError: no Layer.

    >>> layers = dy2st.nn.LayerList([dy2st.nn.Linear(2, 2)])
    >>> len(layers.append(dy2st.nn.ReLU()))
    2
    """

    def __init__(self, sublayers: Iterable[Layer] | None = None):
        super().__init__()
        self._replace(sublayers or ())


class ParameterList(_Numbered):
    """A list of parameters, of any shapes and dtypes. It computes nothing itself: its forward is a NotImplementedError.

    parameters: the first of them. Gives what a list gives, as `LayerList`. TypeError: a part that is no Parameter.
    """

    _table = "_parameters"
    _part = (Parameter,)

    def __init__(self, parameters: Iterable[Parameter] | None = None):
        super().__init__()
        self._replace(parameters or ())


class Sequential(Layer):
    """Layers applied one after the other: `Sequential(a, b)`, or with names `Sequential(("first", a), ("second", b))`.

    layers: the layers, (name, layer) pairs, or one list or dict of them. Call: (input) of the shape and dtype that the first
    layer takes -> what the last layer gives. TypeError: a part that is no Layer.

    >>> dy2st.nn.Sequential(dy2st.nn.Linear(3, 4), dy2st.nn.ReLU())(dy2st.ones([2, 3])).shape
    [2, 4]
    """

    def __init__(self, *layers: Any):
        super().__init__()
        if len(layers) == 1 and isinstance(layers[0], (list, Mapping)):
            layers = tuple(layers[0].items() if isinstance(layers[0], Mapping) else layers[0])
        for i, layer in enumerate(layers):
            name, part = (layer[0], layer[1]) if isinstance(layer, (tuple, list)) else (str(i), layer)
            self.add_sublayer(name, part)

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Layer]:
        return iter(list(self._sub_layers.values()))

    @picks_from(list)
    def __getitem__(self, name: Any) -> Any:
        if isinstance(name, str):
            return self._sub_layers[name]
        parts = list(self._sub_layers.items())
        return Sequential(*parts[name]) if isinstance(name, slice) else parts[name][1]

    def __setitem__(self, name: Any, layer: Layer) -> None:
        if not isinstance(layer, Layer):
            raise TypeError(f"Sequential holds Layers, not {type(layer).__name__}")
        Layer._epoch[0] += 1
        self._sub_layers[name if isinstance(name, str) else list(self._sub_layers)[name]] = layer

    def append(self, layer: Layer) -> Sequential:
        """Add `layer` at the end; gives this Sequential. TypeError: it is no Layer."""
        self.add_sublayer(str(len(self)), layer)
        return self

    def forward(self, input: Any) -> Any:
        for layer in self._sub_layers.values():
            input = layer(input)
        return input


class _Keyed(Layer):
    """A dict of parts, kept under their keys in the table `_table`."""

    _table = "_sub_layers"
    _part: tuple[type, ...] = (Layer, type(None))

    @property
    def _parts(self) -> dict[str, Any]:
        return self.__dict__[self._table]

    def __len__(self) -> int:
        return len(self._parts)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._parts))

    def __contains__(self, key: str) -> bool:
        return key in self._parts

    @picks_from(lambda self: dict(self._parts))
    def __getitem__(self, key: str) -> Any:
        return self._parts[key]

    def __setitem__(self, key: str, part: Any) -> None:
        if not isinstance(part, self._part):
            raise TypeError(f"{type(self).__name__} holds {self._part[0].__name__}s, not {type(part).__name__}")
        Layer._epoch[0] += 1
        self._parts[key] = part

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def pop(self, key: str) -> Any:
        """Take out and give the part under `key`. KeyError: there is none."""
        Layer._epoch[0] += 1
        return self._parts.pop(key)

    def clear(self) -> None:
        """Take out all parts."""
        Layer._epoch[0] += 1
        self._parts.clear()

    def keys(self) -> Any:
        """The keys, in the order in which they were added."""
        return self._parts.keys()

    def values(self) -> Any:
        """The parts, in the order in which they were added."""
        return self._parts.values()

    def items(self) -> Any:
        """The (key, part) pairs, in the order in which they were added."""
        return self._parts.items()

    def update(self, parts: Any) -> None:
        """Add the (key, part) pairs of a dict or a list, `parts`. TypeError: a part of another kind."""
        for key, part in parts.items() if isinstance(parts, (Mapping, _Keyed)) else parts:
            self[key] = part


class LayerDict(_Keyed):
    """A dict of layers whose parameters are found. It computes nothing itself: its forward is a NotImplementedError.

    sublayers: a dict or a list of (key, layer) pairs; a layer may be None. Gives what a dict gives; their inputs, of any shape
    and dtype, go to them alone. TypeError: a part that is no Layer.

    >>> list(dy2st.nn.LayerDict({"act": dy2st.nn.ReLU()}))
    ['act']
    """

    def __init__(self, sublayers: Any = None):
        super().__init__()
        self.update(sublayers or {})


class ParameterDict(_Keyed):
    """A dict of parameters that are found, of any shapes and dtypes.

    It computes nothing itself: its forward is a NotImplementedError. parameters: a dict or a list of (key, Parameter) pairs.
    Gives what a dict gives. TypeError: a part that is no Parameter.
    """

    _table = "_parameters"
    _part = (Parameter,)

    def __init__(self, parameters: Any = None):
        super().__init__()
        self.update(parameters or {})
