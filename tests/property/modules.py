"""Random source text as a live module, whose source `inspect` can find; and the arguments it is tried on."""

from __future__ import annotations

import functools
import itertools
import linecache
import sys
import types

import numpy as np

from dy2st import to_tensor
from dy2st.static import InputSpec

_serial = itertools.count()

VECTORS = ([1.0, 2.0, 3.0], [-1.0, 0.5], [4.0], [-3.0, -2.0, 0.0], [0.25, 0.5])
CALLS = [(VECTORS[k % 5], (0, 1, 2, 3, 4, 1, 2, -2)[k * 3 % 8], k * k % 7 in (0, 1)) for k in range(24)]
STATE = ("COUNT", "KEEP", "SHARED", "TABLE", "WEIGHT")


def module_of(text: str) -> types.ModuleType:
    """Run `text` as a module of its own; each call gives new state."""
    filename = f"<random module {next(_serial)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    module = types.ModuleType(f"random_module_{next(_serial)}")
    module.__file__ = filename
    sys.modules[module.__name__] = module  # a dataclass looks for its module there
    prelude, _, function = text.partition("def f(")
    exec(_prelude(prelude), vars(module))
    exec(compile("\n" * prelude.count("\n") + "def f(" + function, filename, "exec"), vars(module))
    return module


@functools.cache
def _prelude(text: str) -> types.CodeType:
    """What all modules begin with, compiled once: its functions are rewritten once, then, for all of them."""
    filename = f"<prelude of random modules {next(_serial)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    return compile(text, filename, "exec")


def forget(module: types.ModuleType) -> None:
    linecache.cache.pop(module.__file__, None)  # type: ignore[arg-type]
    sys.modules.pop(module.__name__, None)


def specs() -> list[InputSpec]:
    return [InputSpec([None], "float32", "x0"), InputSpec([], "int64", "n"), InputSpec([], "bool", "b")]


def tensors(call: tuple) -> list:
    vector, n, b = call
    return [to_tensor(np.array(vector, "float32")), to_tensor(np.array(n, "int64")), to_tensor(np.array(b))]
