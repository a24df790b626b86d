"""Walking the tree of a layer: sublayers, parameters and buffers with their dotted names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .layer import Layer


def joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name


def named_layers(
    layer: Layer, prefix: str, include_self: bool, seen: set[int], once: bool = True, left_out: Collection[int] = ()
) -> Iterator[tuple[str, Layer]]:
    """`layer` (with `include_self`) and all layers below it, depth first; not `once`: under every name they have.

    left_out: ids of layers that don't come, though those below them do.
    """
    if id(layer) in seen:
        return
    seen.add(id(layer))
    if include_self and id(layer) not in left_out:
        yield prefix, layer
    for name, child in layer._sub_layers.items():
        if child is not None:
            yield from named_layers(child, joined(prefix, name), True, seen, once, left_out)
    if not once:
        seen.discard(id(layer))  # only a layer that lies in itself is left out


def named_members(layer: Layer, table: str, prefix: str, include_sublayers: bool, once: bool) -> Iterator[tuple[str, Any]]:
    """The entries of the dict `table` of `layer` and of the layers below it."""
    seen: set[int] = set()
    layers = named_layers(layer, prefix, True, set(), once) if include_sublayers else [(prefix, layer)]
    for path, owner in layers:
        for name, value in getattr(owner, table).items():
            if value is None or (once and id(value) in seen):
                continue
            seen.add(id(value))
            yield joined(path, name), value


def state_entries(layer: Layer, prefix: str, include_sublayers: bool, unsaved: bool = False) -> Iterator[tuple[str, Any]]:
    """What a state dict holds: parameters and persistable buffers, under every name they have; where `unsaved` all buffers."""
    for name, value in layer._parameters.items():
        if value is not None:
            yield prefix + name, value
    for name, value in layer._buffers.items():
        if value is not None and (unsaved or name not in layer._non_persistable_buffer_names_set):
            yield prefix + name, value
    if include_sublayers:
        for name, child in layer._sub_layers.items():
            if child is not None:
                yield from state_entries(child, f"{prefix}{name}.", True, unsaved)
