"""The initializers of all layers made from now on, where `set_global_initializer` gave some."""

from __future__ import annotations

from typing import Any

from .distributions import Initializer

_given: dict[bool, Any] = {False: None, True: None}


def set_global_initializer(weight_init: Initializer | None, bias_init: Initializer | None = None) -> None:
    """Start weights and biases like this, in place of the layers' own ways; a ParamAttr's initializer still comes first.

    weight_init, bias_init: initializers, or None, which takes it back. TypeError: another kind.
    """
    for what in (weight_init, bias_init):
        if what is not None and not isinstance(what, Initializer):
            raise TypeError(f"set_global_initializer takes initializers or None, not {type(what).__name__}")
    _given.update({False: weight_init, True: bias_init})


def given(is_bias: bool) -> Initializer | None:
    """What is set for biases, or for weights."""
    return _given[is_bias]
