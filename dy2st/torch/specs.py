"""The specs of the arguments of PyTorch code: InputSpecs, and tensors of torch's or arrays as examples."""

from __future__ import annotations

from typing import Any

from .. import pytree
from ..jit.static.binding import Binder
from ..jit.static.spec_matching import refuse_shapes
from ..runtime.tensors.borrowed import own
from ..runtime.tensors.spec import InputSpec, map_leaves, spec_of
from .packages import torch


class TorchBinder(Binder):
    """Binds arguments to parameters; messages say what to write in PyTorch."""

    cast, tensor = "{}.to(torch.{})", "torch.as_tensor({})"


def checked_spec(input_spec: Any) -> Any:
    """The specs, with an InputSpec in place of each example. TypeError: no list, tuple or dict of them, or a bare shape."""
    if input_spec is None:
        return None
    if not isinstance(input_spec, list | tuple | dict):
        kind = type(input_spec).__name__
        raise TypeError(f"input_spec is a list or tuple of InputSpecs, or a dict of them by parameter, not {kind}")
    refuse_shapes(input_spec)
    return map_leaves(own(pytree.mapped(input_spec, _is_tensor, _spec)), spec_of)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, torch().Tensor)


def _spec(example: Any) -> InputSpec:
    return InputSpec(list(example.shape), example.dtype)
