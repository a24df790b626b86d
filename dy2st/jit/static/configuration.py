"""What decides how a layer behaves beside its code: Programs are kept by it."""

from __future__ import annotations

from typing import Any

from ...nn.layer import Layer, attribute_epoch
from .descriptor import Descriptor

PACKAGE = __name__.partition(".")[0]
PLAIN = (bool, int, float, str, type(None))


class Configuration:
    """What built-in layers read of themselves (training, p, ...), by value; looked at again only when some layer changed."""

    def __init__(self, owner: Any):
        self._owner = owner
        self._epoch = -1
        self._flags: tuple = ()

    def current(self) -> tuple | None:
        """The flags of the layer and its parts, the same tuple as long as no layer changes; None where there is no layer."""
        if not isinstance(self._owner, Layer):
            return None
        epoch = attribute_epoch()
        if self._epoch != epoch:
            self._epoch, self._flags = epoch, tuple(map(_flags, self._owner.sublayers(include_self=True)))
        return self._flags


def _flags(layer: Layer) -> tuple:
    """Every plain attribute of a built-in layer; the user's own are guarded where they are read."""
    if type(layer).__module__.partition(".")[0] != PACKAGE:
        return (id(layer), layer.training, *_own_forward(layer))
    tensors = tuple(map(id, (*layer._parameters.values(), *layer._buffers.values())))
    return (id(layer), tensors, *_own_forward(layer), *((k, v) for k, v in vars(layer).items() if type(v) in PLAIN))


def _own_forward(layer: Layer) -> tuple:
    """The hooks of this very layer, and the forward that it was given in place of its class's."""
    hooks = (*layer._forward_pre_hooks.values(), *layer._forward_post_hooks.values())
    own = vars(layer).get("forward")
    return (*map(id, hooks), None if isinstance(own, Descriptor) else id(own))
