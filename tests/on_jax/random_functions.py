"""Random functions as plain Python and by `backend="jax"`: values and exceptions of each call."""

from __future__ import annotations

from typing import Any

from onnx_models.random_functions import WITHOUT
from property.compare import FORM_SECONDS, Report, compared, limited, made, observe, same
from property.generate import write_module
from property.modules import CALLS, specs, tensors

from dy2st import jit
from dy2st.errors import EngineError


def written(seed: int) -> str:
    """The text of the random module."""
    return write_module(seed, without=WITHOUT)


def compare(text: str) -> Report:
    """Run one module in both forms on each of CALLS."""
    return compared(text, _compare_forms, aliases=False)


def _compare_forms(module: Any, report: Report) -> None:
    function = jit.to_static(module.f, input_spec=specs(), backend="jax")
    if made(lambda: jit.to_static(module.f, input_spec=specs()).concrete_program, report) is None:
        return
    try:
        _ = function.concrete_program.executable
    except EngineError as refusal:
        report.refusal = str(refusal)
        return
    for call, expected in zip(CALLS, report.expected):
        with limited(10 * FORM_SECONDS):  # each set of shapes is compiled
            given = observe(function, tensors(call), aliases=False)
        if given.raises and given.result[1] == "EngineError":
            report.refusal = str(given.result)
            return
        if not same(expected.result, given.result):
            report.difference = f"jax f{call}:\n  plain: {expected.result}\n  jax: {given.result}"
            return
