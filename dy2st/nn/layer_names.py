"""What a Layer can do beside the essential, and the names that Paddle has from PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..runtime.tensors.tensor import Tensor
from .tree import state_entries


class MoreOfLayer:
    """Base of Layer: everything here is said by what Layer defines."""

    def _at(self: Any, target: str) -> Any:
        """The part with this dotted name; AttributeError where there is none."""
        found = self
        for name in target.split(".") if target else ():
            found = getattr(found, name)
        return found

    def get_sublayer(self, target: str) -> Any:
        """The layer, parameter or buffer with the dotted name `target`; this layer where it is empty.

        AttributeError: there is none.
        """
        return self._at(target)

    get_submodule = get_parameter = get_buffer = get_sublayer

    def set_sublayer(self: Any, target: str, layer: Any, strict: bool = False) -> None:
        """Put `layer` where the dotted name `target` says.

        ValueError: no name, or no layer; AttributeError: something that is no layer lies there, or with `strict` nothing does.
        """
        owner_name, _, name = target.rpartition(".")
        if not name:
            raise ValueError("set_sublayer takes the dotted name of a layer, not ''")
        if not hasattr(layer, "named_sublayers"):
            raise ValueError(f"set_sublayer takes a Layer, not {type(layer).__name__}")
        owner = self._at(owner_name) if owner_name else self
        before = getattr(owner, name, None)
        if before is None and strict or before is not None and not hasattr(before, "named_sublayers"):
            raise AttributeError(f"{type(owner).__name__} has no layer {name!r} to put another in the place of")
        setattr(owner, name, layer)

    set_submodule = set_sublayer

    def modules(self: Any) -> Iterator:
        """An iterator of this layer and all below it."""
        return iter(self.sublayers(include_self=True))

    def named_modules(self: Any, memo: set | None = None, prefix: str = "", remove_duplicate: bool = True) -> Iterator:
        """(dotted name, Layer) of this layer and all below it: an iterator.

        memo: layers that are left out. prefix: what the names begin with. remove_duplicate: each once, under its first name.
        """
        return self.named_sublayers(prefix, True, memo, remove_duplicate)

    def add_module(self: Any, name: str, module: Any) -> None:
        """Add the layer `module` under `name`. Errors as in `add_sublayer`."""
        self.add_sublayer(name, module)

    register_module = add_module

    def register_parameter(self: Any, name: str, param: Any) -> None:
        """Add the parameter `param`, or None, under `name`. Errors as in `add_parameter`."""
        self.add_parameter(name, param)

    def register_forward_hook(self: Any, hook: Any) -> Any:
        """Call `hook` after forward. Its arguments and the result as in `register_forward_post_hook`."""
        return self.register_forward_post_hook(hook)

    def load_state_dict(self: Any, state_dict: dict, use_structured_name: bool = True) -> Any:
        """Copy values into parameters and buffers.

        As `set_state_dict`: state_dict, use_structured_name, the result, the errors.
        """
        return self.set_state_dict(state_dict, use_structured_name)

    def to_static_state_dict(
        self: Any, destination: dict | None = None, include_sublayers: bool = True, structured_name_prefix: str = ""
    ) -> dict[str, Tensor]:
        """The state dict, and the buffers that aren't saved with it: name -> Tensor, of their shapes and dtypes.

        destination, include_sublayers, structured_name_prefix: as in `state_dict`.
        """
        found = {} if destination is None else destination
        found.update(state_entries(self, structured_name_prefix, include_sublayers, unsaved=True))
        return found

    def zero_grad(self: Any, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or where not `set_to_none` set them to zeros."""
        self.clear_gradients(not set_to_none)

    def requires_grad_(self: Any, requires_grad: bool = True) -> Any:
        """Say of all parameters whether they are trained (`requires_grad`); gives this layer."""
        from ..api.autograd import set_stop_gradient  # a loaded model needs none of the api

        for parameter in self.parameters():
            set_stop_gradient(parameter, not requires_grad)
        return self

    def create_tensor(self: Any, name: str | None = None, persistable: bool | None = None, dtype: Any = None) -> Tensor:
        """An empty tensor of the shape [0], to be filled later: a tensor of `dtype`, that of this layer where None.

        persistable: whether it counts as state.
        """
        made = Tensor(np.zeros([0], as_dtype(dtype or self._dtype).numpy), name=name)
        made.persistable = bool(persistable)
        return made

    create_variable = create_tensor

    def cpu(self) -> Any:
        """This layer itself: it is on the CPU."""
        return self

    def double(self: Any) -> Any:
        """Cast the floating-point parameters and buffers to float64; gives this layer."""
        return self.astype("float64")

    def half(self: Any) -> Any:
        """Cast the floating-point parameters and buffers to float16; gives this layer."""
        return self.astype("float16")

    def float16(self: Any, excluded_layers: Any = None) -> Any:
        """Cast the floating-point parameters and buffers to float16; gives this layer.

        excluded_layers: a class or a list of classes whose layers stay as they are; TypeError for others.
        """
        return self._cast_but("float16", excluded_layers or ())

    def bfloat16(self: Any, excluded_layers: Any = None) -> Any:
        """Cast the floating-point parameters and buffers to bfloat16; gives this layer.

        excluded_layers: a class or a list of classes whose layers stay as they are; TypeError for others.
        """
        return self._cast_but("bfloat16", excluded_layers or ())
