"""The names of Paddle that dy2st has: `docs/api.md` is written by `python tests/support/api_table.py`.

`paddle_signatures.json` holds the signatures of Paddle's names, so that the page can be checked where Paddle isn't installed;
`python tests/support/api_table.py --snapshot` reads them anew from the Paddle that is installed.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SNAPSHOT, PAGE = HERE / "paddle_signatures.json", ROOT / "docs" / "api.md"
# title -> where it is in the package
SPACES = {"paddle": "", "paddle.Tensor": "Tensor"} | {
    f"paddle.{name}": name
    for name in (
        "linalg", "nn", "nn.Layer", "nn.functional", "nn.initializer", "nn.utils", "optimizer", "optimizer.lr", "io", "metric",
        "amp", "regularizer", "fft", "signal", "callbacks",
    )
}  # fmt: skip
Signature = list  # of [name, default as text or None, whether by keyword only]

HEAD = """# The names of Paddle

A row says `same` if the parameters have Paddle's names, order and defaults. Otherwise it says what differs, or why the name is
absent. The page is written by `python tests/support/api_table.py`, and a test keeps it true. `tests/api/calls` compares results
with Paddle's.

For all names:

- `name` and the arguments in the last table are accepted and have no effect.
- `out` is taken by name.
- `device=`, `pin_memory=` and PyTorch's names for parameters (`dim`, `input`) are taken only where the table says `same`.
- Tensors of different dtypes may meet, which Paddle refuses. Integers give way to floating point. Of two of a kind the wider
  wins.

`help(dy2st.concat)` tells names, shapes, dtypes, result and errors of a function. A layer's class tells those of its constructor
and its forward. There `[n, m]` is a shape, `[...]` stands for any axes, and a float is float16, bfloat16, float32 or float64.

| error | raised for |
|---|---|
| TypeError | something that is not a tensor in place of one |
| ShapeError, a ValueError | shapes that don't fit, or an axis out of range |
| DTypeError, a TypeError | a dtype that an operator can't compute with |
| StagedValueError, ConversionError | a value that only the running Program knows, while it is recorded |
"""


def signature_of(function: Any) -> Signature | None:
    """The parameters of a callable, or None where they can't be told."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    kinds = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [
        [
            kinds.get(p.kind, "") + p.name,
            None if p.default is inspect.Parameter.empty else _text(p.default),
            p.kind is inspect.Parameter.KEYWORD_ONLY,
        ]
        for p in parameters
    ]


def _text(default: Any) -> str:
    """A default, spelt the same for what is the same: 1 and 1.0, a list and a tuple."""
    if isinstance(default, (list, tuple)):
        return f"[{', '.join(map(_text, default))}]"
    if isinstance(default, float) and default == int(default):
        default = int(default)
    return default if isinstance(default, str) else repr(default)


def own_space(space: str) -> Any:
    return found_at(importlib.import_module("dy2st"), SPACES[space])


def found_at(package: Any, path: str) -> Any:
    """What lies at a dotted path under a package."""
    for part in filter(None, path.split(".")):
        package = getattr(package, part)
    return package


def snapshot() -> dict[str, dict[str, Signature | None]]:
    """The public callables of each space of the Paddle that is installed."""
    paddle = importlib.import_module("paddle")
    spaces = {title: found_at(paddle, path) for title, path in SPACES.items()}
    return {title: {name: signature_of(getattr(space, name)) for name in public(space)} for title, space in spaces.items()}


def public(space: Any) -> list[str]:
    """The names of callables that a module or class of Paddle means to offer."""
    names = sorted(getattr(space, "__all__", None) or dir(space)) if "." in getattr(space, "__name__", "") else sorted(dir(space))
    return [
        name
        for name in names
        if not name.startswith("_") and callable(getattr(space, name)) and not inspect.ismodule(getattr(space, name))
    ]


def difference(theirs: Signature | None, ours: Signature | None) -> str:
    """What differs between two signatures, in words; empty where nothing does."""
    if theirs is None or ours is None or theirs == ours:
        return ""
    given, wanted = {p[0]: p for p in ours}, {p[0]: p for p in theirs}
    lacks = [name for name in wanted if name not in given]
    extra = [name for name in given if name not in wanted]
    others = [name for name in wanted if name in given and wanted[name][1] != given[name][1]]
    words = [f"without `{name}`" for name in lacks] + [f"`{name}` is its own" for name in extra]
    words += [f"`{name}` defaults to {given[name][1]}, there to {wanted[name][1]}" for name in others]
    return ", ".join(words) or "other order of parameters"


def status(space: str, name: str, theirs: Signature | None, notes: dict[str, str], reason: Callable[[str, str], str]) -> str:
    """The cell of the table for one name of Paddle."""
    if not hasattr(own_space(space), name):
        return f"absent: {reason(space, name)}"
    ours = getattr(own_space(space), name)
    first = 1 if space in ("paddle.Tensor", "paddle.nn.Layer") else 0  # a method's own object is given by place
    parameters = signature_of(ours)
    found = [difference(theirs and theirs[first:], parameters and parameters[first:]), notes.get(name, "")]
    words = "; ".join(word for word in found if word)
    return f"differs: {words}" if words else "same"


def page() -> str:
    """The text of `docs/api.md`."""
    notes = importlib.import_module("support.api_notes")
    parts = [HEAD]
    for space, names in json.loads(SNAPSHOT.read_text()).items():
        rows = [(name, status(space, name, theirs, notes.DIFFERENCES, notes.reason)) for name, theirs in names.items()]
        have = sum(not cell.startswith("absent") for _, cell in rows)
        parts.append(f"\n## `{space}`\n\n{have} of {len(rows)} names.\n\n| name | status |\n|---|---|\n")
        parts += [f"| `{name}` | {cell} |\n" for name, cell in rows]
    tried, without = (importlib.import_module(f"support.{name}") for name in ("tried", "ignored"))
    return "".join([*parts, notes.DTYPE_GRID, tried.figures(), without.table()])


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(HERE.parent)]
    if "--snapshot" in sys.argv:
        lines = (
            f'"{space}": {{\n' + ",\n".join(f"{json.dumps(n)}: {json.dumps(s)}" for n, s in names.items()) + "\n}"
            for space, names in snapshot().items()
        )
        SNAPSHOT.write_text("{" + ",\n".join(lines) + "}\n")
    PAGE.write_text(page())
