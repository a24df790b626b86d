"""Random functions as plain Python, by the engine on NumPy, and exported: values and exceptions of each call.

An exported model has values only: which containers are one object isn't compared, nor what is printed.
"""

from __future__ import annotations

import io
import tempfile
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from property.compare import FORM_SECONDS, PLAIN_SECONDS, TOO_LONG, Report, TooLong, limited, raised, same
from property.generate import write_module
from property.modules import CALLS, STATE, forget, module_of, specs, tensors

import dy2st.onnx
from dy2st import Tensor, jit
from dy2st.errors import ConversionError, StagedValueError

# What no graph expresses: exceptions that are caught, texts, sets, dicts with computed keys, functions that call themselves.
WITHOUT = ("exceptions", "text", "generators", "recursion", "closures", "s", "g", "j", "t", "d")


def written(seed: int) -> str:
    """The text of the random module."""
    return write_module(seed, without=WITHOUT)


def compare(text: str) -> Report:
    """Run one module in every form on each of CALLS."""
    plain, static = module_of(text), module_of(text)
    report = Report()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with limited(PLAIN_SECONDS):
                expected = [outcome(plain.f, call) for call in CALLS]
            report.expected = expected
            _compare_forms(static, report, any(name in text[text.index("def f(") :] for name in STATE))
    except TooLong:
        report.refusal = TOO_LONG
    finally:
        forget(plain)
        forget(static)
    return report


def _compare_forms(module: Any, report: Report, has_state: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            function = jit.to_static(module.f, input_spec=specs())
            session = dy2st.onnx.Session(dy2st.onnx.export(function, Path(folder) / "model"))
        except (ConversionError, StagedValueError) as error:
            if "every call of this function raises" not in str(error):
                report.refusal = f"{type(error).__name__}: {error}"
            return
        except Exception as error:
            if not all(same(raised(error), one) for one in report.expected):
                raise
            return
    for name, form in (("NumPy", function), ("onnxruntime", session)):
        for call, expected in zip(CALLS, report.expected):
            with limited(FORM_SECONDS):
                given = outcome(form, call)
            if isinstance(given, tuple) and given[0] == "raised" and "is beyond int64" in str(given[2:]):
                report.refusal = str(given[2])
                return
            if not same(expected, given) and not _is_of_a_node(expected, given):
                report.difference = f"{name} f{call}:\n  plain: {expected}\n  {name}: {given}"
                return
            if has_state and isinstance(expected, tuple) and expected[:1] == ("raised",) and form is session:
                return  # where an operator has raised, the state is that of before the call


def _is_of_a_node(expected: Any, given: Any) -> bool:
    """Whether both have raised, and onnxruntime could compute a node no more: of two faults it may tell the later one."""
    both = all(isinstance(x, tuple) and x[:1] == ("raised",) for x in (expected, given))
    return both and "onnxruntime can't compute" in str(given[2:])


def outcome(function: Any, call: tuple) -> Any:
    """The values of a call, or its exception."""
    with redirect_stdout(io.StringIO()):
        try:
            return values(function(*tensors(call)))
        except Exception as error:
            return raised(error)


def values(value: Any, depth: int = 0) -> Any:
    """Structure and values in comparable form."""
    assert depth < 50, "a container that holds itself"
    if isinstance(value, Tensor):
        value = value.numpy()
    if isinstance(value, bool | int | float | np.ndarray | np.generic):
        array = np.asarray(value)
        return ("array", array.shape, array.tolist())
    if isinstance(value, tuple | list):
        return (type(value).__name__ if type(value) in (tuple, list) else "tuple", *(values(x, depth + 1) for x in value))
    if isinstance(value, dict):
        return ("dict", *((key, values(x, depth + 1)) for key, x in value.items()))
    if value is None or isinstance(value, str):
        return value
    if not hasattr(value, "__dict__"):
        return str(value)
    return ("object", *((key, values(x, depth + 1)) for key, x in sorted(vars(value).items())))
