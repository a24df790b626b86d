"""A model in onnxruntime, on the CPU: arrays go in and come out without a copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..graphs.lowering.values import DTYPE_NAMES, Array
from .lowering.protos import outside_proto, tensor_proto, value_info
from .opening import opened, quiet
from .packages import onnx, onnxruntime
from .runs import Runner

_EMBEDDED = 1024  # bytes: of longer constants the model has the place alone; shapes and axes, which it has to know, are shorter


class OrtSession:
    """Runs a model whose weights may change between calls.

    model: a ModelProto, which gives up the initialisers of the weights. weights: the names of these initialisers, by what they
    are called in `held`, the arrays, which others replace and write.

    A weight whose memory nobody can write, as those that `jit.load` maps, is a constant: onnxruntime folds it, and packs it for
    its kernels. Any other is an input, so that a call reads what the array holds then. A 3 x 3 convolution of 64 channels takes
    1.7 times as long so, a product of 32 rows by 784 x 256 takes 1.1 times. To compare the bytes at each call would cost 0.1 ms
    for each MB. `InferenceSession.run` shares the memory of arrays in both directions; an IOBinding takes 7 us more for the same.
    """

    def __init__(self, model: Any, weights: Mapping[str, str], held: Mapping[str, np.ndarray]):
        self._weights, self._held = dict(weights), held
        inside = [x for x in model.graph.initializer if x.name not in self._weights.values()]
        del model.graph.initializer[:]
        model.graph.initializer.extend(inside)
        self.model = model
        self._ready: tuple[tuple, Runner, dict[str, str]] | None = None

    def run(self, outputs: Sequence[str], feeds: Mapping[str, Any]) -> list[Any]:
        """The outputs of these names, for the other inputs by name: arrays, or lists of them."""
        if not outputs:
            return []  # a model that computes nothing is none for onnxruntime
        fixed = tuple(array if _is_fixed(array) else None for array in map(self._held.__getitem__, self._weights))
        ready = self._ready
        if ready is None or any(a is not b for a, b in zip(ready[0], fixed)):
            ready = self._ready = fixed, *self._made(fixed)
        _, runner, open_weights = ready
        given = {name: _in_order(value) for name, value in feeds.items()}
        given.update((name, _in_order(self._held[key])) for key, name in open_weights.items())
        return runner(outputs, given)

    def release(self) -> None:
        """Let go of the session, and of the memory that it keeps; the next call makes another one."""
        self._ready = None

    def _made(self, fixed: tuple) -> tuple[Runner, dict[str, str]]:
        """What runs a session in which these weights are constants, and the other ones, which are inputs."""
        model, options = onnx().ModelProto(), quiet()
        model.CopyFrom(self.model)
        outside: dict[str, Any] = {}
        open_weights: dict[str, str] = {}
        for (key, name), array in zip(self._weights.items(), fixed):
            if array is None:
                element = onnx().helper.np_dtype_to_tensor_dtype(self._held[key].dtype)
                model.graph.input.append(value_info(name, Array(DTYPE_NAMES[element], self._held[key].shape)))
                open_weights[key] = name
            elif array.nbytes <= _EMBEDDED:
                model.graph.initializer.append(tensor_proto(name, array))
            else:
                model.graph.initializer.append(outside_proto(name, array, name))
                outside[name] = onnxruntime().OrtValue.ortvalue_from_numpy(_in_order(array))
        options.add_external_initializers(list(outside), list(outside.values()))
        return Runner(opened(model.SerializeToString(), options)), open_weights


def _is_fixed(array: np.ndarray) -> bool:
    """Whether no array, however it was made, can write this memory."""
    memory: Any = array
    while isinstance(memory, np.ndarray):
        if memory.flags.writeable:
            return False
        memory = memory.base
    return True


def _in_order(value: Any) -> Any:
    """An array as onnxruntime reads it, in row-major order and in place; a copy where it lies otherwise."""
    if isinstance(value, list):
        return [_in_order(item) for item in value]
    return value if value.flags.c_contiguous and value.flags.aligned else np.array(value, order="C")
