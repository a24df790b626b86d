"""Random functions as plain Python, by the engine on NumPy, and exported: values and exceptions of each call.

An exported model has values only: which containers are one object isn't compared, nor what is printed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from property.compare import FORM_SECONDS, Outcome, Report, compared, limited, made, observe, same
from property.generate import write_module
from property.modules import CALLS, specs, tensors

import dy2st.onnx
from dy2st import jit

# What no graph expresses: exceptions that are caught, texts, sets, dicts with computed keys, functions that call themselves.
WITHOUT = ("exceptions", "text", "generators", "recursion", "closures", "s", "g", "j", "t", "d")


def written(seed: int) -> str:
    """The text of the random module."""
    return write_module(seed, without=WITHOUT)


def compare(text: str) -> Report:
    """Run one module in every form on each of CALLS."""
    return compared(text, _compare_forms, aliases=False)


def _compare_forms(module: Any, report: Report) -> None:
    function = jit.to_static(module.f, input_spec=specs())
    with tempfile.TemporaryDirectory() as folder:
        session = made(lambda: dy2st.onnx.Session(dy2st.onnx.export(function, Path(folder) / "model")), report)
    if session is None:
        return
    for name, form in (("NumPy", function), ("onnxruntime", session)):
        for call, expected in zip(CALLS, report.expected):
            with limited(FORM_SECONDS):
                given = observe(form, tensors(call), aliases=False)
            if not same(expected.result, given.result) and not _is_of_a_node(expected, given):
                report.difference = f"{name} f{call}:\n  plain: {expected.result}\n  {name}: {given.result}"
                return
            if report.has_state and expected.raises and form is session:
                return  # where an operator has raised, the state is that of before the call


def _is_of_a_node(expected: Outcome, given: Outcome) -> bool:
    """Whether both have raised, and onnxruntime could compute a node no more: of two faults it may tell the later one."""
    return expected.raises and given.raises and "onnxruntime can't compute" in str(given.result[2:])
