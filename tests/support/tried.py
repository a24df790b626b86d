"""How many arguments of Paddle's names are called with another value than their default, for the page of names."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from api import other_texts, other_values, whole
from optimizer import test_class_arguments

import dy2st
from dy2st.api import out

from .api_notes import DIFFERENCES
from .ignored import EVERYWHERE, ignored, public, refuses

FIGURES = """
## Arguments that are tried

{names} of the names have arguments with a default, {total} without `name`. Tests set {called} of them to another value than the
default, and see another result or an error; {listed} stand in the table below; {rest} are in no such call.
"""


def with_default() -> Iterator[tuple[str, Any, str]]:
    """(name, callable, parameter) of each parameter of a public name that has a default."""
    for name, function in public():
        if refused_or_idle(name, function):
            continue
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            continue
        for parameter in parameters:
            if parameter.default is not parameter.empty and parameter.name not in EVERYWHERE:
                yield name, function, parameter.name


def refused_or_idle(name: str, function: Any) -> bool:
    """Whether a name accepts nothing, or does nothing as its note says."""
    unwrapped = inspect.unwrap(function)
    only_raises = inspect.isfunction(unwrapped) and refuses(unwrapped)
    return only_raises or DIFFERENCES.get(_last(name), "").startswith(("no effect", "raises"))


def called() -> set[tuple[str, str]]:
    """(last part of the name, parameter) of each that some test calls with another value."""
    found = {(_last(path), parameter) for path, _, rest in other_values.calls() for parameter in rest}
    found |= {tuple(key.rsplit(".", 1)) for key in other_texts.tried()}  # type: ignore[misc]
    found |= {(_last(call.function), keyword) for call in whole.calls() for keyword in call.keywords(dy2st)}
    for name, _, cls, ways in test_class_arguments.CASES:
        found |= {(_last(name), parameter) for parameter in {*ways, *set(inspect.signature(cls).parameters) & {"parameters"}}}
    return found | {(name, "out") for name in out.NAMES}


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def untried() -> list[tuple[str, str]]:
    """(name, parameter) of those that no test calls, and that aren't listed as without effect."""
    tried, listed = called(), ignored()
    objects = {(id(function), parameter) for name, function, parameter in with_default() if (_last(name), parameter) in tried}
    return [
        (name, parameter)
        for name, function, parameter in with_default()
        if name not in listed.get(parameter, ()) and (id(function), parameter) not in objects
    ]


def figures() -> str:
    """The part of the page that counts them."""
    total, rest, listed = list(with_default()), untried(), ignored()
    without = sum(name in listed.get(parameter, ()) for name, _, parameter in total)
    return FIGURES.format(
        names=len({name for name, _, _ in total}),
        total=len(total),
        called=len(total) - without - len(rest),
        listed=without,
        rest=len(rest),
    )
