"""What a layer from outside can't be given while staging: state holds neither parameters nor NumPy arrays as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors import ConversionError
from ...heap.attribute_order import is_layer
from ...heap.journal import Attribute
from ...heap.markers import MISSING
from ...recorder.recorder import Recorder

PARAMETER = (
    "which parameters a model has can't change inside staged control flow, nor in a Program for all calls; replace the parameter "
    "outside of the function, or keep both under names of their own and choose between them"
)
ARRAY = (
    "a NumPy array or number would be a Tensor after the call; write dy2st.to_tensor(value), or store it outside of the function"
)


def refuse_in_layer(rec: Recorder, owner: Any, name: str, item: Any) -> None:
    """ConversionError where the value would be another after the call. Staging for one call stores it itself."""
    if not is_layer(owner) or rec.heap.birth(owner) is not None:
        return
    is_parameter = _table_for(owner, name, item) == "_parameters"
    if not is_parameter and not isinstance(item, np.ndarray | np.generic):
        return
    if not rec.facts.changes_itself(rec) or Attribute(owner, name).key in rec.facts.state:
        attribute = f"{type(owner).__name__}.{name}"
        change = f"del {attribute}" if item is MISSING else f"{attribute} = ..."
        raise ConversionError(f"{rec.here()}: {change}: {PARAMETER if is_parameter else ARRAY}")


def _table_for(owner: Any, name: str, item: Any) -> str | None:
    """The table of a layer that a value goes into, or that what is deleted lies in."""
    return owner._table_for(name, None if item is MISSING else item)
