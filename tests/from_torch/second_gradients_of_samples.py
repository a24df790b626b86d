"""Second derivatives of torch's database of operators: torch's double backward, and the tape through a saved Program.

python tests/from_torch/second_gradients_of_samples.py SAMPLES [PART]

SAMPLES: how many of each operator, "all" for all (some hours); the page holds those of 3, which take a quarter of an hour.
PART: of the operators' names; then the page isn't written.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.gradients_of_samples import KINDS, NAMES, difference
from from_torch.operators import OPERATORS, Outcome, _words, places_of, samples
from property.compare import saved_and_loaded
from support.sections import cell, write_section

import dy2st.torch
from dy2st.errors import Dy2stError
from dy2st.runtime.tensors.tensor import Tensor
from dy2st.torch.values import array_of, leaves, torch_of

TWICE = [name for name in NAMES if OPERATORS[name].supports_gradgrad]


def outcome(name: str, sample: Any) -> Outcome:
    """The second derivatives of one sample by torch and through a Program. One that torch can't differentiate counts as right."""
    op = OPERATORS[name]
    function = _function(op, sample)
    given = [x for x in leaves((sample.input, tuple(sample.args), dict(sample.kwargs))) if isinstance(x, torch.Tensor)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            right, shapes = _of_torch(_function(op, _whole(sample)), given)
        except Exception as error:
            return Outcome("right", f"torch raises {type(error).__name__}")
        try:
            found = _of_program(function, given, shapes)
        except (Dy2stError, NotImplementedError) as error:
            return Outcome("unmapped" if "isn't mapped" in str(error) else "refused", _words(error))
        except Exception as error:
            return Outcome("failed", f"{type(error).__name__}: {_words(error)}")
    words = difference(found, right) and difference(found, _with_differences(function, given, right))
    return Outcome("wrong", words) if words and not _draws(function, given) else Outcome("right", "")


def _draws(function: Callable, given: list[torch.Tensor]) -> bool:
    """Whether torch's result is another one where another seed was set."""
    first = _of_torch(function, given)[0]
    return any(difference(_of_torch(function, given, seed)[0], first) for seed in range(2, 20))


def _function(op: Any, sample: Any) -> Callable:
    """The call of an operator, as a function of the tensors among what it is given; with what torch's tests do to those."""
    _, arguments = places_of(sample)

    def call(*tensors):
        input, args, kwargs = arguments(tensors)
        return sample.output_process_fn_grad(op.gradcheck_wrapper(op.op, input, *args, **kwargs))

    return call


def _whole(sample: Any) -> Any:
    """The sample, not in chunks: torch's gradient by chunks is a constant made in the forward, without a derivative."""
    kwargs = {key: value for key, value in sample.kwargs.items() if key != "options"}
    return type(sample)(sample.input, args=sample.args, kwargs=kwargs, output_process_fn_grad=sample.output_process_fn_grad)


def _weights(shapes: list, seed: int) -> list[torch.Tensor]:
    """Numbers by which results are weighed. shapes: those of the results, with their dtypes."""
    torch.manual_seed(seed)
    wide = {True: torch.complex128, False: torch.float64}
    return [torch.randn(shape, dtype=wide[dtype.is_complex]).to(dtype) for shape, dtype in shapes]


def _weighed(function: Callable, given: list[torch.Tensor], seed: int = 1) -> tuple[list, list, list]:
    """The tensors that require a gradient; pairs of each gradient and its weights; the shapes of the results, with dtypes."""
    torch.manual_seed(seed)
    tensors = [x.detach().clone().requires_grad_(x.requires_grad) for x in given]
    wanted = [x for x in tensors if x.requires_grad]
    outputs = [x for x in leaves(function(*tensors)) if isinstance(x, torch.Tensor) and x.requires_grad]
    shapes = [(x.shape, x.dtype) for x in outputs]
    first = torch.autograd.grad(outputs, wanted, _weights(shapes, 3), allow_unused=True, create_graph=True)
    weights = _weights([(x.shape, x.dtype) for x in wanted], 4)
    return wanted, [(x, w) for x, w in zip(first, weights) if x is not None and x.requires_grad], shapes


def _of_torch(function: Callable, given: list[torch.Tensor], seed: int = 1) -> tuple[list[torch.Tensor], list]:
    """The gradients of a weighed sum of the gradients, zeros where there is none; and what the weights are like."""
    wanted, ends, shapes = _weighed(function, given, seed)
    found: Any = [None] * len(wanted)
    if ends:
        found = torch.autograd.grad([x for x, _ in ends], wanted, [w for _, w in ends], allow_unused=True)
    return [torch.zeros_like(x) if g is None else g + 0 for x, g in zip(wanted, found)], shapes


def _with_differences(function: Callable, given: list[torch.Tensor], right: list[torch.Tensor]) -> list[torch.Tensor]:
    """torch's second derivatives; where one isn't a number, the difference of its gradients, by a small step on both sides."""
    wanted = [x for x in given if x.requires_grad]
    for x, of_x in zip(wanted, right):
        for place in map(tuple, of_x.isnan().nonzero().tolist()):
            sides = []
            for step in (1e-6, -1e-6):
                moved = [y.detach().clone().requires_grad_(y.requires_grad) for y in given]
                with torch.no_grad():
                    next(m for m, y in zip(moved, given) if y is x)[place] += step
                sides.append(sum((g * w).sum() for g, w in _weighed(function, moved)[1]))
            of_x[place] = (sides[0] - sides[1]) / 2e-6
    return right


def _of_program(function: Callable, given: list[torch.Tensor], shapes: list) -> list[torch.Tensor]:
    """The same through the Program of the function. shapes: those of its results that have a gradient."""
    torch.manual_seed(1)
    static = dy2st.torch.to_static(function)
    static(*[x.detach().clone().requires_grad_(x.requires_grad) for x in given])
    loaded = saved_and_loaded(static)
    tensors = [Tensor(array_of(x.detach().clone()), stop_gradient=not x.requires_grad) for x in given]
    wanted = [x for x in tensors if not x.stop_gradient]
    outputs = [x for x in leaves(loaded(*tensors)) if isinstance(x, Tensor) and not x.stop_gradient]
    if len(outputs) != len(shapes):
        raise ValueError(f"{len(outputs)} results have a gradient, not {len(shapes)}")
    first = dy2st.grad(outputs, wanted, _own(_weights(shapes, 3)), allow_unused=True, create_graph=True)
    weights = _own(_weights([(x.shape, x.dtype) for x in given if x.requires_grad], 4))
    ends = [(x, w) for x, w in zip(first, weights) if x is not None and not x.stop_gradient]
    found: list = [None] * len(wanted)
    if ends:
        found = dy2st.grad([x for x, _ in ends], wanted, [w for _, w in ends], allow_unused=True)
    return [torch.zeros_like(torch_of(x)) if g is None else torch_of(g) for x, g in zip(wanted, found)]


def _own(weights: list[torch.Tensor]) -> list[Tensor]:
    return [Tensor(array_of(x)) for x in weights]


def tried(name: str, count: int | None) -> tuple[Counter[str], dict[str, str]]:
    """How many samples came out in which way, and the words of the first of each."""
    found: Counter[str] = Counter()
    words: dict[str, str] = {}
    for sample in samples(name, torch.float64, count, requires_grad=True):
        made = outcome(name, sample)
        found[made.kind] += 1
        words.setdefault(made.kind, made.words)
    return found, words


def main(count: int | None, part: str) -> None:
    """Print what became of the samples of each operator, and the totals; write the page where it holds these."""
    total: Counter[str] = Counter()
    rows: list[str] = []
    for name in (name for name in TWICE if part in name):
        found, words = tried(name, count)
        total.update(found)
        bad = "; ".join(f"{kind}: {words[kind]}" for kind in KINDS if kind in words)
        print(name, dict(found), bad, flush=True)
        if bad:
            rows.append(f"| {name} | {found['right']} of {sum(found.values())} | {cell(bad)} |")
    print(dict(total))
    if part or count != 3:
        return
    kinds = ", ".join(f"{total[kind]:,} {kind}" for kind in ("refused", "unmapped", "wrong", "failed"))
    tried_ = f"{sum(total.values()):,} samples (the first {count} of each operator) of {len(TWICE)} operators"
    head = f"Second derivatives: of {tried_}, {total['right']:,} are right; {kinds}."
    text = "\n".join([head, "", "| operator | right | otherwise |", "|---|---|---|", *rows])
    write_section("from-pytorch.md", "python tests/from_torch/second_gradients_of_samples.py 3", text)


if __name__ == "__main__":
    main(None if sys.argv[1] == "all" else int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
