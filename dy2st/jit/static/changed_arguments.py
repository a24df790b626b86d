"""Whether a Program that changes some of its arguments takes others: a list of another length, a dict with other keys.

What it changes is an input of a type, as a tensor is one of a dtype: `xs.append(x)` at each call stays one Program.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ... import pytree
from ...ir.native import is_of
from ...ir.types import ClassType, Type
from ...runtime.heap.natives import Mirror
from ...runtime.pythons import NAMED
from ...runtime.stage.arguments import Changed, mutable_in
from ...runtime.tensors.spec import has_parts, is_leaf, structure_key
from .concrete import ConcreteProgram


def takes(program: ConcreteProgram, specs: dict[str, Any], bound: dict[str, Any]) -> bool:
    """Whether a Program takes these arguments, by parameter; `specs` is their tree of InputSpecs."""
    changed = list(program.staged.changed.values())
    if any(_holds_objects(each.type) for each in changed) or _shares(program.specs) or _shares(specs):
        return False
    arguments = _with_changed_of(program.arguments, specs)
    if structure_key(arguments) != structure_key(program.arguments):
        return False
    mirror = Mirror(program.staged.objects, program.staged.texts)
    inputs = zip(program.inputs, program.inputs_of(bound))
    return all(is_of(spec.type, mirror.to_native(value)) for spec, value in inputs if isinstance(spec, Changed))


def _holds_objects(type_: Type) -> bool:
    """Whether it takes objects whose class alone the type names: what lies in their fields is a matter of staging."""
    return (isinstance(type_, ClassType) and type_.name not in NAMED) or any(map(_holds_objects, type_.parts()))


def _shares(specs: dict[str, Any]) -> bool:
    """Whether a container or object stands in two places."""
    return any(count > 1 for count in Counter(id(part) for part in mutable_in(list(specs.values()))).values())


def _with_changed_of(tree: Any, specs: Any) -> Any:
    """The specs with what `tree` has in the place of the containers that are changed."""
    if isinstance(tree, Changed):
        return tree
    if is_leaf(tree) or is_leaf(specs) or not has_parts(tree) or not has_parts(specs):
        return specs
    parts, others = pytree.parts_of(tree), pytree.parts_of(specs)
    if len(parts) != len(others):
        return specs
    return pytree.rebuilt(specs, [_with_changed_of(part, other) for (_, part), (_, other) in zip(parts, others)])
