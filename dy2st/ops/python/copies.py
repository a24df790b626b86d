"""`copy.copy` and `copy.deepcopy` of lists, dicts, sets, tuples and objects."""

from __future__ import annotations

import copy

from ...ir.flows import passes
from ...ir.native import Instance
from ..registry import define


def _copy(instance: Instance) -> Instance:
    made = Instance(instance.cls)
    made.fields.update(instance.fields)
    return made


copied = define("object.copy", kernel=_copy, infer=lambda o: o, flows=passes(0), reads=(0,), allocates=True)
deep = define(
    "container.deepcopy",
    kernel=lambda value: copy.deepcopy(value),
    infer=lambda value: value,
    flows=passes(0),
    reads=(0,),
    allocates=True,
)
