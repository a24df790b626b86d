"""torch's own database of operators: each sample is called by torch, and as a Program of `dy2st.torch.to_static`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Generator, Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import torch
from from_torch.alone import Alone
from torch.testing._internal import common_methods_invocations
from torch.testing._internal.common_methods_invocations import op_db

import dy2st.torch
from dy2st.errors import Dy2stError
from dy2st.runtime.tensors.tensor import Tensor
from dy2st.torch.values import array_of, leaves, mapped, torch_of

DTYPES = (torch.float32, torch.float64, torch.int64, torch.bool, torch.complex64)
OPERATORS = {f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name: op for op in op_db}
_PLACE = object()  # of a tensor among arguments
# Of these only the shape and dtype are compared: each generator has its own numbers, and what is empty has any.
RANDOM = frozenset(
    """cauchy exponential geometric log_normal normal.in_place uniform randn randn_like rand_like randint randint_like multinomial
    normal normal.number_mean bernoulli empty empty_like empty_strided empty_permuted new_empty new_empty_strided
    nn.functional.dropout nn.functional.dropout2d nn.functional.dropout3d nn.functional.alpha_dropout
    nn.functional.feature_alpha_dropout.with_train nn.functional.rrelu nn.functional.fractional_max_pool2d
    nn.functional.fractional_max_pool3d svd_lowrank pca_lowrank""".split()
)


def _plain(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A call without the seed that torch's tests set around it."""
    return function(*args, **kwargs)


common_methods_invocations.wrapper_set_seed = _plain  # type: ignore[assignment]


class Outcome(NamedTuple):
    """What became of a sample: "right", "raises" as torch does, "refused", "unmapped", "wrong" or "failed"; and the words."""

    kind: str
    words: str


def samples(name: str, dtype: torch.dtype, count: int | None = None, requires_grad: bool = False) -> Iterator[Any]:
    """The first samples of an operator for a dtype, in torch's order; none for a dtype that it doesn't take."""
    op = OPERATORS[name]
    if dtype not in op.supported_dtypes("cpu"):
        return
    torch.default_generator.manual_seed(0)
    inputs = iter(op.sample_inputs_func(op, "cpu", dtype, requires_grad))
    yield from islice(inputs, count)
    if isinstance(inputs, Generator):
        inputs.close()  # or else it ends later, and calls torch while something is staged


def variants(name: str) -> list[Any]:
    """The methods of a tensor that do what an operator does, those that write in place and those of Python's signs among them."""
    op = OPERATORS[name]
    found = (op.method_variant, op.inplace_variant, op.operator_variant, op.inplace_operator_variant)
    return [function for function in found if function is not None]


def outcome(name: str, sample: Any, function: Any = None) -> Outcome:
    """One sample by torch and as a Program, with a variant of the operator in its place."""
    return outcomes(name, sample, function)[0]


def outcomes(name: str, sample: Any, function: Any = None, alone: Alone | None = None) -> tuple[Outcome, Outcome | None]:
    """As `outcome`; and, where that is right, what became of the Program saved and loaded in a process without torch."""
    function, given = function or OPERATORS[name].op, _given(sample)
    torch.default_generator.manual_seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = _called(function, *_copied(given))
            is_drawn = name in RANDOM or _draws(function, given, expected, range(2, 3))
            theirs = None
        except Exception as error:
            theirs = error
        torch.default_generator.manual_seed(1)
        tensors = [x for x in leaves(given) if isinstance(x, torch.Tensor)]
        net = dy2st.torch.to_static(_function(function, sample))
        try:
            result = net(*_copied(tensors))
        except Exception as error:
            return _raised(error) if theirs is None else Outcome("raises", ""), None
        if theirs is not None:
            return Outcome("wrong", f"gives a result where torch raises {_words(theirs)}"), None
        staged = _compared(name, sample, function, result, expected, is_drawn)
        if staged.kind == "wrong" and not is_drawn and _draws(function, given, expected, range(3, 20)):
            staged, is_drawn = _compared(name, sample, function, result, expected, True), True
        is_tried = alone is not None and staged.kind == "right"
        return staged, _loaded(net, tensors, result, is_drawn, alone) if is_tried else None


def _draws(function: Any, given: tuple, expected: Any, seeds: range) -> bool:
    """Whether torch's result is another one where another seed was set."""
    for seed in seeds:
        torch.default_generator.manual_seed(seed)
        if _difference(_called(function, *_copied(given)), expected, True):
            return True
    return False


def _given(sample: Any) -> tuple:
    return sample.input, tuple(sample.args), dict(sample.kwargs)


def _raised(error: Exception) -> Outcome:
    """What an error means: one of dy2st's says in words why not."""
    if isinstance(error, Dy2stError | NotImplementedError):
        return Outcome("unmapped" if "isn't mapped" in str(error) else "refused", _words(error))
    return Outcome("failed", f"{type(error).__name__}: {_words(error)}")


def _loaded(net: Any, tensors: list, result: Any, is_drawn: bool, alone: Alone) -> Outcome:
    """Whether a Program gives the same in a process without torch, of plain arrays."""
    try:
        found = alone.called(net, [array_of(x) for x in _copied(tensors)])
    except Exception as error:
        return _raised(error)
    found = [torch_of(Tensor(x)) if isinstance(x, np.ndarray) else x for x in found]
    difference = _difference(found, mapped(lambda x: tuple(x) if isinstance(x, torch.Size) else x, result), not is_drawn)
    return Outcome("wrong", difference) if difference else Outcome("right", "")


def _compared(name: str, sample: Any, function: Any, found: Any, expected: Any, is_drawn: bool) -> Outcome:
    """Whether a result is torch's."""
    found, expected = (_meant(name, sample, x) for x in (found, expected))
    difference = _difference(found, expected, not is_drawn)
    if difference and not _difference(found, expected, False):
        difference = _difference(found, _meant(name, sample, _exact(function, _given(sample))), True)
    return Outcome("wrong", difference) if difference else Outcome("right", "")


def _exact(function: Any, given: tuple) -> Any:
    """What torch gives where it computes in float64 in place of float32: the truth where its own rounding is seen."""
    wide = mapped(lambda x: x.double() if isinstance(x, torch.Tensor) and x.dtype is torch.float32 else x, _copied(given))
    found = _called(function, *wide)
    is_wide = any(isinstance(x, torch.Tensor) and x.dtype is torch.float32 for x in leaves(given))
    return mapped(lambda x: x.float() if is_wide and isinstance(x, torch.Tensor) and x.dtype is torch.float64 else x, found)


def _meant(name: str, sample: Any, found: Any) -> Any:
    """A result without what torch leaves open: signs of eigenvectors, and the order of equal elements."""
    if name in ("sort", "argsort", "topk", "kthvalue", "mode") and sample.input.dim():
        counted = name in ("topk", "kthvalue")
        dims = [x for x in (*sample.args[counted:], *sample.kwargs.values()) if type(x) is int] or [-1]
        *values, places = leaves(found)
        full = places.unsqueeze(dims[0]) if places.dim() < sample.input.dim() else places
        return (*values, sample.input.gather(dims[0], full), places.shape, places.dtype)
    return sample.output_process_fn_grad(found)


def places_of(sample: Any) -> tuple[list[Any], Any]:
    """The tensors among the arguments of a sample, and a function that puts others in their places: (input, args, kwargs)."""
    given = _given(sample)
    places = mapped(lambda x: _PLACE if isinstance(x, torch.Tensor) else x, given)

    @dy2st.jit.not_to_static
    def arguments(tensors: Any) -> Any:
        rest = iter(tensors)
        return mapped(lambda x: next(rest) if x is _PLACE else x, places)

    return [x.detach() for x in leaves(given) if isinstance(x, torch.Tensor)], arguments


def _function(op: Any, sample: Any) -> Any:
    """The call of an operator, as a function of the tensors among what it is given."""
    _, arguments = places_of(sample)

    def call(*tensors):
        input, args, kwargs = arguments(tensors)
        return op(input, *args, **kwargs)

    return call


def _called(op: Any, input: Any, args: tuple, kwargs: dict) -> Any:
    return op(input, *args, **kwargs)


def _copied(given: Any) -> Any:
    return mapped(lambda x: x.detach().clone() if isinstance(x, torch.Tensor) else x, given)


def _difference(found: Any, expected: Any, in_values: bool) -> str:
    """How a result differs from torch's; "" where it doesn't. in_values: not in shapes and dtypes only."""
    ours, theirs = leaves(found), leaves(expected)
    if len(ours) != len(theirs):
        return f"{len(ours)} values, not {len(theirs)}"
    for mine, right in zip(ours, theirs):
        if isinstance(right, torch.Tensor) != isinstance(mine, torch.Tensor):
            return f"{type(mine).__name__}, not {type(right).__name__}"
        if not isinstance(right, torch.Tensor):
            if mine != right:
                return f"{mine!r}, not {right!r}"
            continue
        if (mine.dtype, mine.shape) != (right.dtype, right.shape):
            return f"{mine.dtype}{list(mine.shape)}, not {right.dtype}{list(right.shape)}"
        if not in_values:
            continue
        try:
            torch.testing.assert_close(mine, right.detach(), equal_nan=True, rtol=1e-4, atol=1e-5)
        except AssertionError as error:
            return str(error).split("\n\n")[-1].replace("\n", " ")[:200]
    return ""


def _words(error: BaseException) -> str:
    return re.sub(r"^\S+:\d+: ", "", str(error)).splitlines()[0][:200] if str(error) else type(error).__name__
