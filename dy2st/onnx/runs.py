"""A run of an onnxruntime session: natives go in and come out, those of bfloat16 too, which its `run` can't hand over."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..dtypes import DTYPES
from ..errors import EngineError
from ..graphs.lowering.values import ELEMENTS
from .packages import onnxruntime

_NARROW = "bfloat16"
_PLACE = re.compile(r"^\S+\.(?:h|cc):\d+ (?:.* was false\. )?")  # in onnxruntime's own source
_OF_MEMORY = re.compile(r"allocate memory|bad_alloc|more than \d+ bytes")
_NODE = re.compile(r"node\. Name:'([^']*)' Status Message: ")


class NodeError(EngineError):
    """onnxruntime can't compute a node, `node` by name, for these values; the name tells the layer, the operator and the line.

    is_of_memory: the result would be too large for it.
    """

    def __init__(self, node: str, why: str):
        name, _, kind = node.rpartition("/")
        super().__init__(f"onnxruntime can't compute {name or kind} for these values: {why}")
        self.node, self.is_of_memory = node, _OF_MEMORY.search(why) is not None


class Runner:
    """Runs a session: gives the outputs of these names, for arrays, or lists of them, by the names of inputs.

    NodeError: a node fails. EngineError: the run fails otherwise.
    """

    def __init__(self, session: Any):
        self._session = session
        self._narrow = {x.name for x in session.get_outputs() if _NARROW in x.type}
        inputs = (*session.get_inputs(), *session.get_overridable_initializers())
        self._is_plain = not self._narrow and not any(_NARROW in x.type for x in inputs)

    def __call__(self, outputs: Sequence[str], feeds: Mapping[str, Any]) -> list[Any]:
        try:
            return self._session.run(outputs, feeds) if self._is_plain else self._by_values(outputs, feeds)
        except Exception as error:
            raise _in_words(str(error)) from None

    def _by_values(self, outputs: Sequence[str], feeds: Mapping[str, Any]) -> list[Any]:
        found = self._session.run_with_ort_values(outputs, {name: _value(name, array) for name, array in feeds.items()})
        return [_array(name, value) for name, value in zip(outputs, found)]


def _value(name: str, array: Any) -> Any:
    """An array as a value of onnxruntime's."""
    make = onnxruntime().OrtValue
    if isinstance(array, list):
        raise EngineError(_no_lists(name))
    if array.dtype.name == _NARROW:
        return make.ortvalue_from_numpy_with_onnx_type(array.view(np.uint16), ELEMENTS[_NARROW])
    return make.ortvalue_from_numpy(array)


def _array(name: str, value: Any) -> np.ndarray:
    """A value of onnxruntime's as an array; one of bfloat16 is read from its memory."""
    if not value.is_tensor():
        raise EngineError(_no_lists(name))
    if value.element_type() != ELEMENTS[_NARROW]:
        return value.numpy()
    return np.asarray(_Memory(value)).view(DTYPES[_NARROW].numpy).copy()


class _Memory:
    """The elements of a tensor of onnxruntime's, two bytes each, as NumPy reads the memory of others."""

    def __init__(self, value: Any):
        self.value = value  # which owns the memory
        place = (value.data_ptr(), True)
        self.__array_interface__ = {"version": 3, "typestr": "<u2", "shape": tuple(value.shape()), "data": place}


def _no_lists(name: str) -> str:
    return (
        f"{name}: onnxruntime hands over no list of tensors of unknown shapes beside tensors of bfloat16: "
        'cast what goes in and out, x.astype("float32")'
    )


def _in_words(message: str) -> EngineError:
    """What onnxruntime says, about the innermost node that has failed."""
    nodes = [*_NODE.finditer(message)]
    if not nodes:
        return EngineError(f"onnxruntime fails: {message}")
    return NodeError(nodes[-1][1], _PLACE.sub("", message[nodes[-1].end() :]).strip())
