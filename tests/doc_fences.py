"""Two kinds of code block that the docs have beside plain `python`.

    ```python mistake     the exception that it ends in is printed as Python prints it, of its traceback the last entry; or else
                          its first warning
    ```python cure        it runs; of a function that is staged, plain Python, the Program and the loaded Program agree

Where the block starts with a comment such as `# x: float32[?, 3], n: int64[]`, its last function is staged for inputs like that,
saved, loaded, and called with positive numbers and with negative ones. Otherwise the block just runs.
"""

from __future__ import annotations

import ast
import re
import traceback
import warnings
from collections.abc import Callable

import numpy as np
from staging.agreement import as_programs, assert_agrees, outcome

import dy2st as paddle
from dy2st.static import InputSpec

SPEC = re.compile(r"(\w+): (\w+)\[(.*?)\]")


def run_cure(run: Callable[[], None], text: str, names: dict) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run()
        specs = specs_of(text)
        if specs:
            assert_agrees(last_function(text, names), specs, calls_of(specs))


def run_mistake(run: Callable[[], None], text: str, names: dict) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            run()
            specs = specs_of(text)
            if specs:
                call(last_function(text, names), specs, warned)
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            print(f'  File "{at.filename}", line {at.lineno}, in {at.name}\n    {at.line}')
            print(f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ()), sep="\n")
            return
    assert warned, f"no mistake:\n{text}"
    first = warned[0]
    print(warnings.formatwarning(first.message, first.category, first.filename, first.lineno), end="")


def call(function: Callable, specs: list[InputSpec], warned: list) -> None:
    """Call the function as a Program. It gives what it gives when it is loaded, and plain Python too, unless a warning told."""
    static, loaded = as_programs(function, specs)
    for inputs in calls_of(specs):
        assert outcome(loaded, inputs) == outcome(static, inputs)
        assert warned or outcome(static, inputs) == outcome(function, inputs)
        static(*map(paddle.to_tensor, inputs))


def specs_of(text: str) -> list[InputSpec]:
    """The inputs that the first line of a block tells."""
    first = text.partition("\n")[0]
    found = SPEC.findall(first) if first.startswith("# ") else []
    return [InputSpec([None if d == "?" else int(d) for d in re.findall(r"\?|\d+", shape)], dtype, name)
            for name, dtype, shape in found]


def calls_of(specs: list[InputSpec]) -> list[list[np.ndarray]]:
    """Inputs of positive numbers, and of negative ones."""
    shapes = [[3 if d == -1 else d for d in spec.shape] for spec in specs]
    ups = [np.arange(1, 1 + np.prod(s, dtype=int)).reshape(s) for s in shapes]
    return [[np.asarray(sign * up, spec.dtype) for up, spec in zip(ups, specs)] for sign in (1, -1)]


def last_function(text: str, names: dict) -> Callable:
    found = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return names[found[-1]]
