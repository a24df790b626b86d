"""What a function gives, as the result of its Program."""

from __future__ import annotations

from enum import Enum
from types import FunctionType, GeneratorType
from typing import Any

from ... import pytree
from ...converted_code import is_converted
from ...errors import ConversionError
from ...ir.types import UNBOUND, AtomType, SumType, TupleType
from ...ops.registry import lookup
from ..convert.operations.item_sources import Iteration
from ..convert.operations.ranges import StagedRange
from ..heap.heap import FAMILY
from ..heap.markers import Unbound
from ..heap.staged_objects import is_staged_object
from ..library import CLASSES, DictView
from ..proxies import Staged, StagedScalar, StagedSum
from ..recorder.keepers import kept_by
from ..recorder.recorder import Recorder
from ..recorder.values import is_plain_object
from ..tensors.tensor import Tensor
from .opaque import holds_staged

_UNFINISHED = object()
PLAIN = (Staged, Tensor, bool, int, float, str, Unbound)
OWN = (list, dict, set, frozenset, slice)  # a container of another class leaves as an object that holds one of these


def _needs_output(rec: Recorder, type_: Any) -> bool:
    """Whether an alternative of a sum is no value, or is or holds an object whose fields a loaded Program would give."""
    if isinstance(type_, TupleType | SumType):
        return any(_needs_output(rec, part) for part in type_.parts())
    if type_ == UNBOUND:
        return True
    if not isinstance(type_, AtomType):
        return False
    found = rec.objects[type_.text]
    is_made_of_parts = isinstance(found, Enum) or is_plain_object(found) or pytree.is_container(found)
    return is_made_of_parts or bool(_kind_of_no_result(rec, found))


def as_result(rec: Recorder, value: Any, made: dict[int, tuple], is_field: bool = False) -> Any:
    """The result with staged scalars turned into 0-d tensors, as Paddle returns them; one object stays one (`made`: by id).

    is_field: an attribute of an object, which may have no value.
    """
    if value is None or type(value) in (bool, int, float, str):
        return value
    boxes = rec.facts.policy.boxes_scalars
    if boxes and isinstance(value, StagedScalar) and str(value._type) in ("int", "float", "bool"):
        return lookup("py.to_tensor")(value, dtype={"int": "int64", "float": "float64", "bool": "bool"}[str(value._type)])
    if isinstance(value, tuple) and (type(value) is tuple or hasattr(value, "_fields")):
        return pytree.rebuilt(value, [as_result(rec, x, made) for x in pytree.items_of(value)])
    if isinstance(value, StagedSum) and any(_needs_output(rec, t) for t in rec.type_of(value).parts()):
        return rec.on_alternatives(value, lambda x: as_result(rec, x, {}), unbound=is_field)
    if isinstance(value, PLAIN) and not isinstance(value, Enum):
        return value
    value = rec.heap.spoken_for(value)
    if is_staged_object(value):
        return value
    if (kept := rec.heap.as_object(value)) is not None:
        return kept
    if type(value) in CLASSES and (written := rec.heap.written(value)) is not None:
        return written
    if id(value) in made and made[id(value)][1] is _UNFINISHED:
        raise ConversionError(f"the result holds a {type(value).__name__} that holds itself; return the values that are needed")
    if id(value) not in made:
        made[id(value)] = (value, _UNFINISHED)
        made[id(value)] = (value, _object_output(rec, value, made))
    return made[id(value)][1]


def _kind_of_no_result(rec: Recorder, value: Any) -> str:
    """What a value is that can't leave a Program; "" if it can."""
    if isinstance(value, StagedRange):
        return "a range"
    if isinstance(value, DictView):
        return "a view of a dict"
    if isinstance(value, GeneratorType | Iteration):
        return "an iterator"
    if _is_made_inside(value):
        return "a function made inside it"
    is_leaf = not (pytree.is_container(value) or is_plain_object(value))
    keeps = is_leaf and (any(map(_is_made_inside, pytree.nodes(value, kept_by))) or holds_staged(rec, value))
    return f"this {type(value).__name__}, which keeps what only the Program knows" if keeps else ""


def _is_outside(rec: Recorder, value: Any) -> bool:
    """Whether a container that the Program doesn't know was there before the call."""
    return rec.heap.birth(value) is None and (rec.facts.find_root(value) is not None or rec.facts.is_unreached(rec, value))


def _is_made_inside(value: Any) -> bool:
    return isinstance(value, FunctionType) and is_converted(value.__code__)


def _object_output(rec: Recorder, value: Any, made: dict[int, tuple]) -> Any:
    kind = _kind_of_no_result(rec, value)
    if kind:
        raise ConversionError(
            f"the result holds {kind}; a Program returns tensors, numbers, texts, None, and lists, tuples, "
            f"dicts and objects of them: "
            "return list(...), or the values that the function needs"
        )
    if isinstance(value, Enum):
        return rec.member_output(value, lambda part: as_result(rec, part, made))
    if pytree.is_container(value) and type(value) not in OWN:
        return rec.subclass_output(value, lambda part: as_result(rec, part, made))
    if type(value) in FAMILY and (rec.heap.staged(value) is not None or rec.heap.is_put_together(value)):
        return value
    if type(value) in FAMILY and _is_outside(rec, value):
        return rec.subclass_output(value, lambda part: as_result(rec, part, made))  # the caller gets this very container
    if type(value) not in (list, dict):
        return rec.object_output(value, lambda field: as_result(rec, field, made, is_field=True))
    items = list(value.values()) if type(value) is dict else value
    outputs = [as_result(rec, x, made) for x in items]
    if type(value) is list:
        return rec.list_output(outputs)
    return rec.dict_output([as_result(rec, key, made) if isinstance(key, Enum) else key for key in value], outputs)
