"""Arguments that Paddle's names accept and don't use: found by reading the source, and by calling with other values."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any

from .api_notes import WITHOUT_EFFECT
from .api_table import SNAPSHOT, own_space

HEAD = """
## Arguments without effect

They are accepted, since model files give them, and change no result. All others give another result, or are refused.
"""
# Arguments that are kept as attributes or handed on, and change nothing all the same.
HANDED_ON = {
    "do_model_average": ["paddle.ParamAttr"],
    "is_arithmetic": ["paddle.bitwise_left_shift_"],
    "momentum": ["paddle.nn.InstanceNorm1D", "paddle.nn.InstanceNorm2D", "paddle.nn.InstanceNorm3D"],
    "norm_type": ["paddle.nn.Embedding"],
    "num_workers": ["paddle.io.DataLoader"],
    "pin_memory": ["paddle.tensor"],
}
EVERYWHERE = ("name", "self", "cls")  # `name` is accepted by all and used by none


def public() -> Iterator[tuple[str, Any]]:
    """Each name of Paddle that there is, with its space, and the callable."""
    for space, names in json.loads(SNAPSHOT.read_text()).items():
        owner = own_space(space)
        for name in names:
            if hasattr(owner, name):
                yield f"{space}.{name}", getattr(owner, name)


def code_of(found: Any) -> Any:
    """The Python function that takes the arguments of a callable; None where it has none of its own."""
    if inspect.isclass(found):
        found = found.__init__
    found = inspect.unwrap(found)
    return found if inspect.isfunction(found) and found.__module__.startswith("dy2st") and not refuses(found) else None


def refuses(function: Any) -> bool:
    """Whether a function only raises: it accepts nothing."""
    tree = _definition(function.__code__)
    return tree is not None and isinstance(tree.body[-1], ast.Raise)


def unread(function: Any) -> list[str]:
    """The parameters that no line of a function reads."""
    tree = _definition(function.__code__)
    if tree is None:
        return []
    read = {node.id for part in tree.body for node in ast.walk(part) if isinstance(node, ast.Name)}
    given = [*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs]
    return [a.arg for a in given if a.arg not in read and a.arg not in EVERYWHERE and not a.arg.startswith("_")]


@cache
def _definition(code: Any) -> ast.FunctionDef | None:
    try:
        lines, _ = inspect.getsourcelines(code)
        body = ast.parse(textwrap.dedent("".join(lines))).body
    except (OSError, TypeError, SyntaxError):
        return None
    return body[0] if body and isinstance(body[0], ast.FunctionDef) else None


def ignored() -> dict[str, list[str]]:
    """By parameter, the names that accept it without effect."""
    found = {parameter: list(names) for parameter, names in HANDED_ON.items()}
    for name, value in public():
        function = code_of(value)
        for parameter in unread(function) if function is not None else ():
            found.setdefault(parameter, []).append(name)
    return dict(sorted(found.items()))


def table() -> str:
    """The part of the page that lists them, each with its reason."""
    rows = []
    for parameter, names in ignored().items():
        of = ", ".join(f"`{name.removeprefix('paddle.')}`" for name in names)
        rows.append(f"| `{parameter}` | {of} | {WITHOUT_EFFECT[parameter]} |\n")
    return f"{HEAD}\n| argument | of | why |\n|---|---|---|\n{''.join(rows)}"
