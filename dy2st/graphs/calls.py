"""Between a call in native form and the inputs and outputs of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..passes.values.natives import with_heap, without_heap
from .lowering.arrays import flattened, rebuilt
from .lowering.leaves import leaves_of
from .lowering.values import Sequence as TensorSequence
from .ports import Port


class Answer(NamedTuple):
    """The outcome of a run.

    result: the result of the call; None where an exception has ended it. error: the number of that, or 0. details: what its
    message tells, by number. left: what it leaves in the state, in parameters and in arguments, by the ports of these.
    """

    result: Any
    error: int
    details: dict[int, Any]
    left: list[tuple[Port, Any]]


def arrays_of(port: Port, value: Any) -> dict[str, Any]:
    """The arrays that stand for a native value, by the names of the leaves."""
    return dict(zip(port.leaves, flattened(port.type, without_heap(value, port.original))))


def _value(port: Port, arrays: list[Any]) -> Any:
    """The native value that arrays stand for."""
    return with_heap(rebuilt(port.type, arrays), port.original)


def _sequences(port: Port) -> list[str]:
    """The leaves of a value that are sequences of tensors, which have no start value in the file: they begin empty."""
    leaves = leaves_of(port.type)
    return [name for name, leaf in zip(port.leaves, leaves) if isinstance(leaf.type, TensorSequence)]


class GraphCall:
    """The ports of a graph: arguments and state become arrays by name, arrays become an answer."""

    def __init__(self, inputs: Sequence[Port], outputs: Sequence[Port]):
        self.inputs, self.outputs = inputs, outputs
        self.names = [name for port in outputs for name in port.leaves]

    def feeds(self, arguments: Iterable[Any], state: Mapping[str, Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The arrays of the inputs. State and parameters that the mappings lack are left out: they are what the file says."""
        rest = iter(arguments)
        feeds: dict[str, Any] = {}
        for port in self.inputs:
            held = state if port.role == "state" else parameters
            if port.role == "value":
                feeds.update(arrays_of(port, next(rest)))
            elif port.key in held:
                feeds.update(arrays_of(port, held[str(port.key)]))
            else:
                feeds.update((name, []) for name in _sequences(port))
        return feeds

    def answer(self, arrays: Iterable[Any]) -> Answer:
        """The values of the outputs, which are in the order of `names`."""
        rest = iter(arrays)
        parts = [(port, [next(rest) for _ in port.leaves]) for port in self.outputs]
        error = next((int(leaves[0]) for port, leaves in parts if port.role == "error"), 0)
        result, left = None, []
        details: dict[int, Any] = {}
        for port, leaves in parts:
            if port.role == "value" and not error:
                result = _value(port, leaves)
            elif port.role == "detail" and error:
                details[int(port.key)] = _value(port, leaves)
            elif port.role in ("state", "parameter", "argument"):
                left.append((port, _value(port, leaves)))
        return Answer(result, error, details, left)
