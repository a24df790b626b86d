"""A method that was called with an example is saved for other numbers in its lists, dicts and sets, too.

Each is one input of the Program, of a type, as one that the method changes is: `f(x, [1, 2])` is saved for lists of ints. It
stays the constant that the example had where the method can't be staged without knowing what it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from ... import pytree
from ...ir.native import TYPES, columns
from ...ir.types import FLOAT, INT, NEVER, STR, Type
from ...runtime.heap.elements import joined_all
from ...runtime.stage.arguments import mutable_in, with_changed
from ...runtime.tensors.spec import ValueSpec, has_parts, is_leaf
from .method_in_mode import MethodInMode

NUMBERS = {int: INT, float: FLOAT}


def open_numbers(modes: list[MethodInMode]) -> None:
    """Give a method, in its modes, Programs that take any numbers where the example had a list, dict or set of some."""
    example = modes[0].program
    changed = {id(each.original) for each in example.staged.changed.values()}
    opened: dict[int, ValueSpec] = {}
    for name, tree in example.specs.items():
        for part, path in _containers(tree, name):
            if id(part) in changed or not _stands_once(part, example.specs):
                continue
            wanted = {**opened, id(part): ValueSpec(_type_of_numbers(part), path)}
            if _takes(modes, {name: with_changed(tree, wanted) for name, tree in example.specs.items()}):
                opened = wanted


def _takes(modes: list[MethodInMode], specs: dict[str, Any]) -> bool:
    """Whether the modes can all be staged for these arguments; if so, they are."""
    try:
        programs = [mode.staged(specs) for mode in modes]
    except Exception:  # whatever the user's code raises without those numbers: they stay
        return False
    for mode, program in zip(modes, programs):
        mode.program = program
    return True


def _containers(tree: Any, path: str) -> Iterator[tuple[Any, str]]:
    """The outermost containers of nothing but numbers, and where they lie."""

    def inside(path: str, part: Any) -> list[tuple[str, Any]]:
        enters = not is_leaf(part) and has_parts(part) and not _is_of_numbers(part)
        return [(f"{path}_{number}", inner) for number, inner in enumerate(pytree.items_of(part))] if enters else []

    return ((part, at) for at, part in pytree.placed(path, tree, inside) if _is_of_numbers(part))


def _is_of_numbers(tree: Any) -> bool:
    return type(tree) in TYPES and _type_of_numbers(tree) != NEVER


def _type_of_numbers(tree: Any) -> Type:
    """The type of a list, dict or set of numbers, nested or not; NEVER where it holds anything else, or nothing."""
    if type(tree) not in TYPES:
        return NUMBERS.get(type(tree), NEVER)
    told = [list(map(_type_of_numbers, column)) for column in columns(tree)]
    if isinstance(tree, dict):
        told[0] = [STR if type(key) is str else known for key, known in zip(tree, told[0])]
    return TYPES[type(tree)](*map(joined_all, told)) if tree and NEVER not in chain(*told) else NEVER


def _stands_once(part: Any, specs: Any) -> bool:
    """Whether a container, and all in it, lies in one place of the arguments."""
    places = Counter(id(container) for container in mutable_in(list(specs.values())))
    return all(places[id(container)] == 1 for container in mutable_in(part))
