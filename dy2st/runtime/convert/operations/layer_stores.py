"""What a layer from outside can't be given while staging: state holds no parameters, and no table of a layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....errors import ConversionError
from ....ir.join import alternatives
from ....ir.types import NONE, TensorType, Type
from ...heap.attribute_order import is_layer, place_of
from ...heap.journal import Attribute
from ...heap.markers import MISSING
from ...outside.facts import Loss
from ...proxies import Staged
from ...recorder.recorder import Recorder
from ...tensors.tensor import Tensor

PARAMETER = (
    "which parameters a model has can't change inside staged control flow, nor in a Program; replace the parameter "
    "outside of the function, or keep both under names of their own and choose between them"
)
ANEW = (
    "the layer has lost this attribute earlier in the call, and where it lies from now on, and whether it is saved, can't change "
    "inside staged control flow, nor in a Program; store into it without deleting it, or under another name"
)


def refuse_in_layer(rec: Recorder, owner: Any, name: str, item: Any) -> None:
    """ConversionError where the layer would be another after the call."""
    if not is_layer(owner) or rec.heap.birth(owner) is not None:
        return
    location = Attribute(owner, name)
    if _table_for(owner, name, item) == "_parameters":
        _refuse_unless_itself(rec, location, item, PARAMETER)
    if item is not MISSING and _differs_anew(rec, location, item):
        _refuse_unless_itself(rec, location, item, ANEW)
    _note_loss(rec, location, item)


def _refuse_unless_itself(rec: Recorder, location: Attribute, item: Any, why: str) -> None:
    change = f"del {location}" if item is MISSING else f"{location} = ..."
    raise ConversionError(f"{rec.here()}: {change}: {why}")


def _table_for(owner: Any, name: str, item: Any) -> str | None:
    """The table of a layer that a value goes into, or that what is deleted lies in."""
    return owner._table_for(name, None if item is MISSING else item)


# --- attributes that a layer loses ------------------------------------------------------------------------------------------


def _note_loss(rec: Recorder, location: Attribute, item: Any) -> None:
    """A table may lose the attribute by this store or deletion: what is stored there later in the call is new to the layer."""
    place = place_of(location.owner, location.name)
    if item is MISSING or not (place is None or _stays(rec, place, item)):
        rec.facts.lost.setdefault(location.key, Loss(location, place)).is_on_path |= len(rec.frames) > 1


def _stays(rec: Recorder, place: str, item: Any) -> bool:
    """Whether an attribute surely stays in a table where this is stored."""
    if is_layer(item):
        return place == "_sub_layers"
    held = _may_be(rec, item)
    return bool(held) and all(one == NONE or ("_buffers" in place and isinstance(one, TensorType)) for one in held)


def _may_be(rec: Recorder, item: Any) -> Sequence[Type]:
    """The types that a value may have, where that is None or a tensor."""
    return alternatives(rec.type_of(item)) if item is None or isinstance(item, Tensor | Staged) else ()


def _differs_anew(rec: Recorder, location: Attribute, item: Any) -> bool:
    """Whether the layer keeps this elsewhere, or saves it otherwise, than if it had not lost the attribute before."""
    loss = rec.facts.lost.get(location.key)
    if loss is None or loss.place is None:
        return False
    is_saved = loss.place == "_buffers"
    return loss.place == "_parameters" or any(
        one == NONE or (is_saved and isinstance(one, TensorType)) for one in _may_be(rec, item)
    )
