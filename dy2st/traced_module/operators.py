"""Single operators of a Program as Exprs, where no call of a public function stands for them."""

from __future__ import annotations

from typing import Any

from ..ops.registry import OpDef
from ..runtime.convert import new
from ..runtime.recorder.recorder import Recorder, current_recorder
from ..runtime.taped import apply
from ..runtime.tensors.call_hook import restart_staged
from ..runtime.tensors.tensor import Tensor
from .calls import CallFunction

_SIMPLE = (Tensor, bool, int, float, str, type(None))
_FAMILIES = ("list.", "tuple.", "dict.", "set.", "sequence.", "object.", "container.", "str.", "range.")
_NEW: dict[str, Any] = {"list.new": list, "dict.new": lambda given: dict(zip(given[::2], given[1::2]))}


class Operator(CallFunction):
    """An operator, on its operands; attributes are arguments by name. `func` is its OpDef.

    graph: where it stands. args: the operands; kwargs: the attributes.
    """

    func: OpDef  # type: ignore[assignment]

    @property
    def operator(self) -> str:
        return self.func.name

    def signature(self) -> Any:
        return None

    def store(self, values: dict[Any, Any], result: Any) -> None:
        count = len(self.outputs)
        if count > 1 and not (isinstance(result, tuple) and len(result) == count):
            raise ValueError(f"{self!r} gave {count} results when it was traced, and others now")
        values.update(zip(self.outputs, result if count > 1 else (result,)))

    def call(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        rec = current_recorder()
        if rec is not None:
            return recorded(rec, self.func, args, kwargs)
        restart_staged()
        plain = not self.func.name.startswith(_FAMILIES) and all(isinstance(x, _SIMPLE) for x in args)
        return apply(self.func, list(args), kwargs, plain)


def recorded(rec: Recorder, definition: OpDef, args: tuple, kwargs: dict[str, Any]) -> Any:
    """What an operator gives while a Program is being recorded."""
    if definition.name in _NEW:
        return new(_NEW[definition.name](args))
    return definition(*[rec.heap.materialise(x) if type(x) in (list, dict, set) else x for x in args], **kwargs)
