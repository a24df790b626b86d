"""The modes of a model's parts, training or evaluation: for a while, and as `train()` and `eval()` would leave them."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ... import pytree
from ...errors import ConversionError
from ...nn.layer import Layer


def parts_of(layers: Iterable[Any]) -> list[Any]:
    """The layers and all below them, each once, in their order."""
    parts = (p for layer in layers for p in (layer.sublayers(include_self=True) if isinstance(layer, Layer) else layer.modules()))
    return list({id(part): part for part in parts}.values())


@contextmanager
def in_modes(parts: Sequence[Any], modes: Sequence[bool]) -> Iterator[None]:
    """Each of the parts in its mode, training or not, and afterwards in the one that it had."""
    before = [(part.training, vars(part).get("_switched_to")) for part in parts]
    try:
        for part, training in zip(parts, modes):
            part.training = training
        yield
    finally:
        for part, (training, switched_to) in zip(parts, before):
            part.training = training
            if "_switched_to" in vars(part):  # a loaded model
                vars(part)["_switched_to"] = switched_to


def modes_after(layers: Sequence[Any], training: bool, kind: type = Layer) -> list[bool]:
    """The modes of all parts once `train()` or `eval()` of the layers has been called, which nobody calls here.

    A `train` or `eval` of the user's runs on a copy of them. ConversionError: it changes more than modes, or there is no copy.
    """
    own = next((method for part in parts_of(layers) for method in _own_switches(part, kind)), None)
    if own is None:
        return [training] * len(parts_of(layers))
    try:
        copies = copy.deepcopy(list(layers))
    except Exception as error:
        raise ConversionError(f"{own} was written by you, and is tried on a copy, which fails: {error}") from error
    before = [_snapshot(part) for part in parts_of(copies)]
    for layer in copies:
        layer.train() if training else layer.eval()
    for part, held in zip(parts_of(copies), before):
        if (changed := _changed(part, held)) is not None:
            raise ConversionError(f"{own} changes {type(part).__name__}.{changed}, and a file has one value of it for both modes")
    return [bool(part.training) for part in parts_of(copies)]


def _own_switches(part: Any, kind: type) -> list[str]:
    """The names of `train` and `eval` of a part, as far as its class or the part itself has one of its own."""
    return [
        f"{type(part).__name__}.{name}"
        for name in ("train", "eval")
        if name in vars(part) or getattr(type(part), name) is not getattr(kind, name)
    ]


_TABLES = ("_parameters", "_buffers")


def _snapshot(part: Any) -> dict[str, tuple]:
    """The attributes of a part, each with what it holds by now."""
    own = {name: value for name, value in vars(part).items() if name not in ("training", *_TABLES)}
    tensors = {name: value for table in _TABLES for name, value in vars(part).get(table, {}).items()}
    return {name: (value, _content(value)) for name, value in {**own, **tensors}.items()}


def _content(value: Any) -> Any:
    """What can change in place: the elements of a tensor as text, the items of a container by identity."""
    if hasattr(value, "numpy") and hasattr(value, "detach"):
        trained = getattr(value, "requires_grad", None) if hasattr(value, "requires_grad") else not value.stop_gradient
        return value.detach().clone(), bool(trained)
    return [id(item) for item in pytree.contents_of(value)[1]] if pytree.is_container(value) else None


def _changed(part: Any, before: dict[str, tuple]) -> str | None:
    """The name of an attribute that isn't what it was; None: all are."""
    now = _snapshot(part)
    return next((name for name in {**before, **now} if not _alike(before.get(name), now.get(name))), None)


def _alike(a: tuple | None, b: tuple | None) -> bool:
    if a is None or b is None:
        return False
    (value, content), (other, other_content) = a, b
    if value is not other and not (type(value) in (bool, int, float, str) and type(value) is type(other) and value == other):
        return False
    if isinstance(content, tuple):
        (elements, trained), (others, now_trained) = content, other_content
        if trained != now_trained or elements.shape != others.shape:
            return False
        are_nan = (elements != elements) & (others != others)
        return bool(((elements == others) | are_nan).all())
    return content == other_content
