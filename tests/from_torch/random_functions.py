"""Random functions on tensors of torch: as plain Python, static, and saved and loaded where no torch is needed.

The class of each number and the dtype of each tensor are compared, too, but for a loaded function, which gives tensors of dy2st.
"""

from __future__ import annotations

from typing import Any

import torch
from property.compare import Report, compared, first_difference, made, saved_and_loaded
from property.generate import write_module
from property.modules import specs

import dy2st.torch

OURS = "import dy2st\nfrom dy2st import to_tensor\n"
THEIRS = "import torch as dy2st\nfrom torch import tensor as to_tensor\n"


def written(seed: int) -> str:
    """The text of a random module that computes with torch."""
    text = write_module(seed)
    assert OURS in text
    return text.replace(OURS, THEIRS)


def compare(text: str) -> Report:
    """Run one module in every form on each of CALLS."""
    return compared(text, _compare_forms, arguments=_tensors)


def _tensors(call: tuple) -> list:
    return list(map(torch.tensor, call))


def _compare_forms(module: Any, report: Report) -> None:
    function = dy2st.torch.to_static(module.f, specs())
    if made(lambda: function.concrete_program, report) is None:
        return
    report.difference = first_difference("static", function, module, report, _tensors, typed=True)
    if report.difference or report.has_state:
        return
    loaded = made(lambda: saved_and_loaded(function), report)
    if loaded is not None:
        report.difference = first_difference("loaded", loaded, None, report)
