"""Gradients of torch's database of operators: those of torch's autograd, and those through a Program.

python tests/from_torch/gradients_of_samples.py SAMPLES [PART]

SAMPLES: how many of each operator and dtype, "all" for all. PART: of the operators' names; then the page isn't written.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import repeat
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.operators import OPERATORS, RANDOM, Outcome, _words, samples
from support.sections import cell, write_section

import dy2st.torch
from dy2st.errors import Dy2stError
from dy2st.torch.values import leaves, mapped

DTYPES = (torch.float32, torch.float64)
NAMES = [name for name, op in OPERATORS.items() if op.supports_autograd and name not in RANDOM]
KINDS = ("wrong", "failed", "refused", "unmapped")


def outcome(name: str, sample: Any) -> Outcome:
    """The gradients of one sample by torch and through a Program. One that torch can't differentiate counts as right."""
    op = OPERATORS[name]
    function, static = _function(op.op), dy2st.torch.to_static(_function(op.op))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            flows, right = gradients(op, function, sample)
            is_drawn = difference(gradients(op, function, sample, 2)[1], right)
        except Exception as error:
            return Outcome("right", f"torch raises {type(error).__name__}")
        try:
            found_flows, found = gradients(op, static, sample)
        except (Dy2stError, NotImplementedError) as error:
            return Outcome("unmapped" if "isn't mapped" in str(error) else "refused", _words(error))
        except Exception as error:
            return Outcome("failed", f"{type(error).__name__}: {_words(error)}")
        if found_flows != flows:
            return Outcome("wrong", f"requires_grad of the results is {found_flows}, not {flows}")
        words = "" if is_drawn else difference(found, right)
        if words and torch.float32 in dtypes_of(sample):
            exact = [g.to(x.dtype) for g, x in zip(gradients(op, function, sample.transform(_wide))[1], right)]
            words = difference(found, exact, [_distance(x, g) for x, g in zip(right, exact)])
    return Outcome("wrong", words) if words else Outcome("right", "")


def _function(op: Any) -> Callable:
    """The call of an operator, as a function of what it is given."""

    def call(input, args, kwargs):
        return op(input, *args, **kwargs)

    return call


def gradients(op: Any, function: Callable, sample: Any, seed: int = 1) -> tuple[list[bool], list[torch.Tensor]]:
    """Which tensors of the result have a history, and the gradients of a weighed sum of those; zeros where there is none.

    What torch's own tests do to inputs, such as making a matrix symmetric for a function of such matrices, is done here, too.
    """
    input, args, kwargs = mapped(_leaf, (sample.input, tuple(sample.args), dict(sample.kwargs)))
    torch.manual_seed(seed)
    made = op.gradcheck_wrapper(lambda x, *more, **named: function(x, more, named), input, *args, **kwargs)
    results = [x for x in leaves(sample.output_process_fn_grad(made)) if isinstance(x, torch.Tensor)]
    outputs = [x for x in results if x.requires_grad]
    wanted = [x for x in leaves((input, args, kwargs)) if isinstance(x, torch.Tensor) and x.requires_grad]
    torch.manual_seed(3)
    weights = [torch.randn(x.shape, dtype=torch.complex128 if x.is_complex() else torch.float64).to(x.dtype) for x in outputs]
    found = torch.autograd.grad(outputs, wanted, weights, allow_unused=True) if outputs and wanted else [None] * len(wanted)
    return [x.requires_grad for x in results], [torch.zeros_like(x) if g is None else g for x, g in zip(wanted, found)]


def _leaf(x: Any) -> Any:
    return x.detach().clone().requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x


def _wide(x: Any) -> Any:
    is_narrow = isinstance(x, torch.Tensor) and x.dtype is torch.float32
    return x.detach().double().requires_grad_(x.requires_grad) if is_narrow else torch.float64 if x is torch.float32 else x


def dtypes_of(sample: Any) -> set:
    """The dtypes of the tensors that ask for a gradient."""
    given = leaves((sample.input, tuple(sample.args), dict(sample.kwargs)))
    return {x.dtype for x in given if isinstance(x, torch.Tensor) and x.requires_grad}


def _distance(x: torch.Tensor, exact: torch.Tensor) -> float:
    """How far torch's own gradient is from the one in float64: what rounding alone may change."""
    return (x - exact).abs().nan_to_num(0, posinf=0).max().item() if x.numel() else 0.0


def difference(found: list[torch.Tensor], right: list[torch.Tensor], rounding: Iterable[float] = repeat(0.0)) -> str:
    """How gradients differ from torch's, measured by the largest of each tensor, or by ten times torch's own rounding."""
    for mine, theirs, rounded in zip(found, right, rounding):
        largest = theirs.abs().nan_to_num(0, posinf=0).max().item() if theirs.numel() else 0.0
        try:
            atol = max(1e-4 * max(1.0, largest), 10 * rounded)
            torch.testing.assert_close(mine, theirs, equal_nan=True, rtol=1e-3, atol=atol)
        except AssertionError as error:
            return str(error).split("\n\n")[-1].replace("\n", " ")[:200]
    return ""


def tried(name: str, count: int | None) -> tuple[Counter[str], dict[str, str]]:
    """How many samples came out in which way, and the words of the first of each."""
    found: Counter[str] = Counter()
    words: dict[str, str] = {}
    for dtype in DTYPES:
        for sample in samples(name, dtype, count, requires_grad=True):
            made = outcome(name, sample)
            found[made.kind] += 1
            words.setdefault(made.kind, f"{dtype}: {made.words}")
    return found, words


def main(count: int | None, part: str) -> None:
    """Print what became of the samples of each operator, and the totals; write the page where all operators were tried."""
    total: Counter[str] = Counter()
    rows: list[str] = []
    for name in (name for name in NAMES if part in name):
        found, words = tried(name, count)
        total.update(found)
        bad = "; ".join(f"{kind}: {words[kind]}" for kind in KINDS if kind in words)
        print(name, dict(found), bad, flush=True)
        if bad:
            rows.append(f"| {name} | {found['right']} of {sum(found.values())} | {cell(bad)} |")
    print(dict(total))
    if part:
        return
    kinds = ", ".join(f"{total[kind]:,} {kind}" for kind in ("refused", "unmapped", "wrong", "failed"))
    which = "all" if count is None else f"the first {count} of each operator and dtype"
    tried_ = f"{sum(total.values()):,} samples ({which}) of {len(NAMES)} operators"
    head = f"Gradients: of {tried_}, {total['right']:,} are right; {kinds}."
    text = "\n".join([head, "", "| operator | right | otherwise |", "|---|---|---|", *rows])
    write_section("from-pytorch.md", "python tests/from_torch/gradients_of_samples.py all", text)


if __name__ == "__main__":
    main(None if sys.argv[1] == "all" else int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
