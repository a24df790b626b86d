"""The tensors of a PyTorch module as those of a Layer: the same names, the same memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import ref

from ..jit.interface.layer_names import names_of
from ..nn.layer import Layer, Parameter
from ..ops.registry import lookup
from ..runtime.tensors.tape import record
from ..runtime.tensors.tensor import Tensor
from .packages import torch
from .static_module import plain
from .values import array_of, is_dense


class Twin:
    """A tensor of torch's, and the Tensor that shares its memory. Each counts how often that is written; so does the other.

    leaf: the leaf of the tape that stands for torch's tensor: `ours`, or the history of `ours`.
    """

    def __init__(self, theirs: Any, ours: Tensor, forget: Any = None):
        self._theirs, self.ours, self.leaf = ref(theirs, forget), ours, ours
        self._seen = self._on_same_memory(theirs)
        self._version, self._writes = self._now(), ours._writes[0]

    @property
    def theirs(self) -> Any:
        """The tensor of torch's; None where nobody else has it any more."""
        return self._theirs()

    def start_history(self, is_leaf: bool) -> None:
        """Let the Tensor be a leaf, or follow one: unlike a leaf, a Tensor with a history may be written in place."""
        ours = self.leaf = self.ours
        ours._node = None
        if not is_leaf:
            self.leaf = leaf = Tensor(ours._data, stop_gradient=False)
            node = record(lookup("assign"), [leaf], [ours._data], {})
            leaf._writes = ours._writes
            node.add_result(ours._data, ours._writes)
            ours._node = (node, 0)
        self._edge = ours._node

    @property
    def has_new_history(self) -> bool:
        """Whether the call of a Program has given the Tensor another history."""
        return self.ours._node is not self._edge

    def _on_same_memory(self, theirs: Any) -> Any:
        """A tensor with the same memory and count of writes, which stays when torch's is gone."""
        return theirs.detach()

    def _now(self) -> int:
        return 0 if self._seen.is_inference() else self._seen._version

    def note_writes(self) -> bool:
        """Let the Tensor count what torch has written; whether it has."""
        before, self._version = self._version, self._now()
        if before != self._version:
            self.ours._writes[0] += 1
            self._writes = self.ours._writes[0]
        return before != self._version

    def skip_writes(self) -> None:
        """Take all that both have counted for writes that the other one knows."""
        self._version, self._writes = self._now(), self.ours._writes[0]

    def tell_writes(self) -> bool:
        """Let torch count what a Program has written; whether it has."""
        before, self._writes = self._writes, self.ours._writes[0]
        if before != self._writes and not self.theirs.is_inference():
            torch().autograd.graph.increment_version(self.theirs)
            self._version = self._now()
        return before != self._writes


class Follower(Twin):
    """A tensor that others may give another memory, and the Tensor that has the same one from then on."""

    def __init__(self, theirs: Any, ours: Tensor, forget: Any):
        super().__init__(theirs, ours, forget)
        self._array, self._layout = ours._data, _layout(theirs)
        self.start_history(theirs.is_leaf)

    def _on_same_memory(self, theirs: Any) -> Any:
        return None  # it may be given another one

    def _now(self) -> int:
        theirs = self.theirs
        return 0 if theirs is None or theirs.is_inference() else theirs._version

    @contextmanager
    def standing_for(self, other: Any) -> Iterator[Twin]:
        """Let the Tensor have the memory, the flag and the gradient of another tensor of torch's."""
        ours, before = self.ours, (self._theirs, self._array, self._layout, self._version, self._writes)
        own = ours._data, ours._writes, ours.stop_gradient
        self._theirs, ours._writes, self._writes = ref(other), [0], 0
        self._version = self._now()
        self.follow()
        shared = Tensor(ours._data)
        shared._writes = ours._writes
        try:
            yield Twin(other, shared)
        finally:
            ours._data, ours._writes, ours.stop_gradient = own
            self._theirs, self._array, self._layout, self._version, self._writes = before

    def end_history(self) -> None:
        """Let the Tensor be a leaf again, as the tape of an earlier call may have it for one."""
        if self.ours._node is not None:
            self.start_history(True)

    def follow(self) -> None:
        """Let the Tensor have the memory that torch's has now."""
        theirs, ours = self.theirs, self.ours
        layout = _layout(theirs)
        if ours._data is not self._array or self._layout != layout:
            ours._data = self._array = array_of(theirs)
            self._layout = layout
        ours.stop_gradient = not theirs.requires_grad
        if not theirs.is_leaf:
            self.start_history(False)
        self.note_writes()


def _layout(tensor: Any) -> tuple:
    """Which memory a tensor of torch's has, and how it lies there."""
    return tensor.data_ptr(), tensor.shape, tensor.stride()


class Tensors:
    """Which Tensor shares memory with each tensor of torch's, as long as somebody has that."""

    def __init__(self) -> None:
        self._known: dict[int, Follower] = {}  # by id of the tensor of torch's

    def of(self, value: Any) -> Tensor | None:
        """The Tensor for a tensor of torch's; None for anything else."""
        if not issubclass(type(value), torch().Tensor):  # whatever class a placeholder says it is of
            return None
        key = id(value)
        if key not in self._known:
            with torch()._C.DisableTorchFunction():
                self._known[key] = Follower(value, _made(value), lambda _: self._known.pop(key, None))
        return self._known[key].ours

    def follower(self, value: Any) -> Follower:
        """What follows a tensor that has a Tensor."""
        return self._known[id(value)]

    def __iter__(self) -> Iterator[Follower]:
        return iter([twin for twin in list(self._known.values()) if twin.theirs is not None])


def _made(value: Any) -> Tensor:
    if isinstance(value, torch().nn.Parameter):
        return Parameter(array_of(value), trainable=value.requires_grad)
    return Tensor(array_of(value), stop_gradient=not value.requires_grad)


class Mirror(Layer):
    """A Layer with the tensors of a PyTorch module, and one for each of its children. tensors: those of dy2st's for them.

    slots: the attributes that hold them, as (table, name, tensor), also those of the children.
    """

    tensors: Tensors
    slots: list[tuple[dict, str, Any]]

    def __init__(self, module: Any, tensors: Tensors):
        super().__init__()
        self.__dict__.update(tensors=tensors, slots=[])
        for table in (module._parameters, module._buffers):
            self.slots.extend((table, name, x) for name, x in table.items() if x is not None and is_dense(x))
        for name, parameter in module._parameters.items():
            if parameter is not None:
                self.add_parameter(name, tensors.of(parameter))  # type: ignore[arg-type]
        for name, buffer in module._buffers.items():
            if buffer is not None and is_dense(buffer):  # another one is refused where it is read
                self.register_buffer(name, tensors.of(buffer), persistable=name not in module._non_persistent_buffers_set)
        for name, child in module._modules.items():
            if child is not None:
                self.add_sublayer(name, mirror := Mirror(child, tensors))
                self.slots.extend(mirror.slots)

    def names_of(self, module: Any) -> dict[int, str]:
        """The names of the tensors, and of the parts of the PyTorch module, by id."""
        return {**names_of(self), **{id(plain(part)): name for name, part in module.named_modules()}}
