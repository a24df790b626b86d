"""The parameters of a traced forward, from a file."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ..errors import ModelFileError
from ..saving.untrusted import brief, expect, expect_keys
from .arguments import ArgSpec

_KEYS = {field.name for field in fields(ArgSpec)}


def spec_of(tree: Any) -> ArgSpec:
    """The ArgSpec whose fields `tree` holds, by name; ModelFileError where they make no signature."""
    where = "argspec"
    found = expect_keys(tree, {*_KEYS, "declared"}, set(), where)
    declared = expect(found["declared"], int, where)
    for key in ("args", "kwonlyargs"):
        for name in expect(found[key], list, where):
            expect(name, str, where)
    for key in ("varargs", "varkw"):
        expect(found[key], type(None) if found[key] is None else str, where)
    defaults = expect(found["defaults"], list, where)
    by_name = expect(found["kwonlydefaults"], dict, where)
    if not 1 <= declared <= len(found["args"]) or len(defaults) >= declared or not by_name.keys() <= set(found["kwonlyargs"]):
        raise ModelFileError(f"{where}: the parameters and their defaults don't fit each other")
    names = [*found["args"], *found["kwonlyargs"], *filter(None, (found["varargs"], found["varkw"]))]
    if "self" in names[1:]:
        raise ModelFileError(f"{where}: 'self' is the name of the Layer")
    if odd := [name for name in names if not name.isidentifier()]:
        raise ModelFileError(f"{where}: {brief(odd[0])} is no name of a parameter")
    made = ArgSpec(**{key: found[key] for key in _KEYS})
    made.declared = declared
    try:
        made.signature()
    except ValueError as error:
        raise ModelFileError(f"{where}: {error}") from None
    return made
