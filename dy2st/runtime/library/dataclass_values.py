"""`dataclasses.asdict` and `dataclasses.astuple`, written in Python: what a field holds may be known to the Program only."""

from __future__ import annotations

import collections
import copy
import dataclasses
import sys


def as_dict(obj, factory):
    """`asdict(obj, dict_factory=factory)`"""
    names = [field.name for field in dataclasses.fields(obj)]
    told = lambda part: dataclasses.asdict(part, dict_factory=factory)  # noqa: E731
    return factory([(name, _inside(getattr(obj, name), told)) for name in names])


def as_tuple(obj, factory):
    """`astuple(obj, tuple_factory=factory)`"""
    names = [field.name for field in dataclasses.fields(obj)]
    told = lambda part: dataclasses.astuple(part, tuple_factory=factory)  # noqa: E731
    return factory([_inside(getattr(obj, name), told) for name in names])


def _inside(value, told):
    """What lies in a field, with the dataclasses in it told."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return told(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_inside(part, told) for part in value])
    if isinstance(value, (list, tuple)):
        return type(value)([_inside(part, told) for part in value])
    if isinstance(value, collections.defaultdict) and sys.version_info >= (3, 12):
        made = type(value)(value.default_factory)
        for key, part in value.items():
            made[_inside(key, told)] = _inside(part, told)
        return made
    if isinstance(value, dict):
        return type(value)([(_inside(key, told), _inside(part, told)) for key, part in value.items()])
    return copy.deepcopy(value)
