"""Names of state in a graph: a tensor of a layer has its name in the `state_dict`, all else its access path.

    self._sub_layers['norm'].mean, float32[3]   ->   norm.mean
    self._sub_layers['norm'].calls, int         ->   self.norm.calls
"""

from __future__ import annotations

import re

from ...ir.types import TensorType, Type

_PART = re.compile(r"\._(?:sub_layers|parameters|buffers)\['([^']*)'\]")


def graph_name(name: str, type_: Type) -> str:
    """The name in the graph for a name in the Program."""
    name = _PART.sub(r".\1", name)
    is_of_layer = isinstance(type_, TensorType) and re.fullmatch(r"self\.[\w.]+", name)
    return name.removeprefix("self.") if is_of_layer else name
