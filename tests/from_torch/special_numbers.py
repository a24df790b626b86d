"""Each operator of torch's database on special numbers: by torch and as a Program.

python tests/from_torch/special_numbers.py [--part PART] [--write]

The elements of torch's own samples are replaced: by NaN, infinities, signed zeros, ties, extremes of integers, negative numbers.
Operators of one tensor also get tensors without elements, and of one. --part: of the names; then it only prints. --write: into
`docs/grids.md`. Signs of zero count.
"""

from __future__ import annotations

import signal
import sys
import warnings
from argparse import ArgumentParser
from collections import Counter
from itertools import cycle, islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch
from from_torch.operators import OPERATORS, RANDOM, Outcome, _copied, _difference, samples
from support.sections import write_section

import dy2st.torch
from dy2st.errors import Dy2stError
from dy2st.torch.values import leaves, mapped

COMMAND = "python tests/from_torch/special_numbers.py --write"
NAN, INF = float("nan"), float("inf")
SECONDS = 20
FLOATS = {
    "nan": [1.0, NAN, -2.0, 0.5],
    "infinities": [INF, 1.0, -INF, 0.5],
    "nan and infinities": [NAN, INF, -INF, NAN],
    "signed zeros": [-0.0, 0.0, -0.0, 1.0],
    "ties": [1.0, 2.0, 1.0, 2.0],
}
LONG = torch.iinfo(torch.int64)
INTEGERS = {"extremes": [LONG.max, LONG.min, 0, 1], "ties": [1, 2, 1, 2], "negative": [-1, 0, -1, 1], "zeros": [0, 0, 0, 0]}
SHAPES = {"no elements": (0,), "one element": (1,), "no rows": (0, 3), "no columns": (2, 0)}
# What isn't compared, and why.
ORDER = "the order of equal elements is open"
SIGNS = "the sign of zero follows the number of elements: vectorised code takes the other operand"
FACTORED = "the sign of zero follows how a normalisation is factored: x * scale + shift, or (x - mean) * scale"
ADDED = "sums of nothing but -0 are 0 in PyTorch and -0 here"
PLACES = "which of several NaN is taken is open"
UNORDERED = "its boundaries have to be in order, or it has to be told to keep equal elements in theirs"
SUMS = "a library of linear algebra, transforms or convolutions computes it, in an order of its own"
NO_INDEX = "PyTorch refuses -2**63 as an index, which stands for the first element here"
UNDERFLOWS = "where its first term is 0, PyTorch gives NaN, and 0 is right"
UNDEFINED = {
    ORDER: "sort topk msort median nanmedian kthvalue",
    PLACES: "cummax cummin max.reduction_with_dim min.reduction_with_dim nn.functional.max_pool1d nn.functional.max_pool2d "
    "nn.functional.max_pool3d nn.functional.adaptive_max_pool1d nn.functional.adaptive_max_pool2d "
    "nn.functional.adaptive_max_pool3d",
    SIGNS: "maximum minimum max.binary min.binary fmax fmin clamp clamp_min clamp_max amax amin max.reduction_no_dim "
    "min.reduction_no_dim aminmax nn.functional.relu nn.functional.relu6 nn.functional.hardtanh nn.functional.threshold "
    "nn.functional.softshrink",
    FACTORED: "native_group_norm native_layer_norm native_batch_norm _native_batch_norm_legit _batch_norm_with_update "
    "nn.functional.group_norm nn.functional.instance_norm nn.functional.layer_norm nn.functional.batch_norm "
    "_softmax_backward_data",
    ADDED: "sum sum_to_size nansum mean nanmean",
    NO_INDEX: "tensor_split",
    UNDERFLOWS: "special.zeta",
    UNORDERED: "argsort argmax argmin bucketize searchsorted max_pool2d_with_indices_backward mode",
}
_ZEROS = {name for reason in (SIGNS, FACTORED, ADDED) for name in UNDEFINED[reason].split()}
_ORDER = {name for reason in (ORDER, PLACES) for name in UNDEFINED[reason].split()}
_OF_LIBRARIES = (
    "linalg fft stft matmul mm mv lu cholesky qr svd eig conv einsum tensordot lstsq inverse triangular_solve matrix_exp "
    "pinverse addbmm baddbmm"
).split()
_LEFT = {*UNDEFINED[UNORDERED].split(), *RANDOM}
_OF_FLOATS = {name for reason in (NO_INDEX, UNDERFLOWS) for name in UNDEFINED[reason].split()}  # compared on floats only
_NAMES = [name for name in OPERATORS if name not in _LEFT and not any(part in name for part in _OF_LIBRARIES)]
CASES: list[tuple[str, str, str]] = [
    *[(name, "float32", shape) for name in _NAMES for shape in SHAPES],
    *[(name, "int64", filling) for name in _NAMES if name not in _OF_FLOATS for filling in INTEGERS],
    *[(name, "float32", filling) for name in _NAMES for filling in FLOATS],
]


class Late(BaseException):
    """A call takes too long."""


def outcome(case: tuple[str, str, str]) -> Outcome:
    """What became of one case: "equal", "raises" as torch does, "refused", "wrong"; "skipped": there is no such call."""
    name, dtype, filling = case
    given = _given(name, getattr(torch, dtype), filling)
    if given is None:
        return Outcome("skipped", "")
    op = OPERATORS[name].op
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            theirs: Any = op(*(copy := _copied(given))[0], **copy[1])
        except Exception as error:
            theirs = error
        tensors = [x for x in leaves(given) if isinstance(x, torch.Tensor)]
        try:
            ours: Any = dy2st.torch.to_static(_function(op, given))(*_copied(tensors))
        except Dy2stError as error:
            return Outcome("refused", str(error)[:150])
        except Exception as error:
            ours = error
    return _compared(name, filling, ours, theirs)


def _compared(name: str, filling: str, ours: Any, theirs: Any) -> Outcome:
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        is_same = isinstance(theirs, Exception) and isinstance(ours, type(theirs))
        return Outcome("raises", "") if is_same else Outcome("wrong", f"{ours!r:.150}, not {theirs!r:.150}")
    if name in _ORDER and filling != "ties":  # values count, places don't
        ours, theirs = ([x for x in leaves(found)[:1]] for found in (ours, theirs))
    if name in _ORDER and filling == "ties":
        return Outcome("skipped", "")
    told = difference(ours, theirs, name not in _ZEROS | _ORDER)
    return Outcome("wrong", told) if told else Outcome("equal", "")


def difference(found: Any, expected: Any, has_signs: bool = True) -> str:
    """How a result differs from torch's, in the signs of zeros, too; "" where it doesn't."""
    found, expected = (mapped(lambda x: torch.tensor(x) if type(x) is float else x, tree) for tree in (found, expected))
    if told := _difference(found, expected, True):
        return told
    for mine, right in zip(leaves(found), leaves(expected)) if has_signs else ():
        if isinstance(right, torch.Tensor) and right.is_floating_point() and right.layout is torch.strided:
            zeros = right == 0
            if not torch.equal(torch.signbit(mine)[zeros & (mine == 0)], torch.signbit(right)[zeros & (mine == 0)]):
                return f"another sign of zero: {mine}, not {right}"
    return ""


def _given(name: str, dtype: Any, filling: str) -> tuple[tuple, dict] | None:
    """The arguments of the first sample with tensors, with other elements in those of the dtype; None: there are none."""
    if filling in SHAPES:
        sample = next(samples(name, dtype, 1), None)
        is_of_one = sample is not None and isinstance(sample.input, torch.Tensor) and not sample.args and not sample.kwargs
        return ((torch.ones(SHAPES[filling], dtype=dtype),), {}) if is_of_one else None
    values = (FLOATS if dtype.is_floating_point else INTEGERS)[filling]
    for sample in samples(name, dtype, 4):
        given = ((sample.input, *sample.args), dict(sample.kwargs))
        if any(isinstance(x, torch.Tensor) and x.dtype is dtype and x.numel() for x in leaves(given)):
            return mapped(lambda x: _filled(x, dtype, values), given)
    return None


def _filled(x: Any, dtype: Any, values: list) -> Any:
    if not isinstance(x, torch.Tensor) or x.dtype is not dtype or x.layout is not torch.strided:
        return x
    return torch.tensor(list(islice(cycle(values), x.numel())), dtype=dtype).reshape(x.shape)


def _function(op: Any, given: tuple[tuple, dict]) -> Any:
    """The call of an operator, as a function of the tensors among its arguments."""
    place = object()
    places = mapped(lambda x: place if isinstance(x, torch.Tensor) else x, given)

    @dy2st.jit.not_to_static
    def arguments(tensors: Any) -> Any:
        rest = iter(tensors)
        return mapped(lambda x: next(rest) if x is place else x, places)

    def call(*tensors):
        args, kwargs = arguments(tensors)
        return op(*args, **kwargs)

    return call


def main(part: str, is_written: bool) -> None:
    """Try all, print what is wrong, and write the counts."""
    torch.set_num_threads(1)
    signal.signal(signal.SIGALRM, _late)
    counts: dict[str, Counter] = {filling: Counter() for *_, filling in CASES}
    for case in CASES:
        if part not in case[0]:
            continue
        signal.alarm(SECONDS)
        try:
            found = outcome(case)
        except Late:
            found = Outcome("skipped", "")
        signal.alarm(0)
        counts[case[2]][found.kind] += 1
        if found.kind == "wrong":
            print(*case, found.words.replace("\n", " ")[:300], flush=True)
    print(sum(counts.values(), Counter()))
    if is_written:
        write_section("grids.md", COMMAND, _table(counts))


def _late(*args: Any) -> None:
    raise Late


def _table(counts: dict[str, Counter]) -> str:
    kinds = ("equal", "raises", "refused", "wrong")
    lines = ["| elements | calls | equal | raises as PyTorch | refused | wrong |", "|---|---|---|---|---|---|"]
    for filling, found in counts.items():
        tried = sum(found[kind] for kind in kinds)
        lines.append(f"| {filling} | {tried:,} | " + " | ".join(f"{found[kind]:,}" for kind in kinds) + " |")
    lines += ["", "Not compared:", ""]
    lines += [f"- {', '.join(f'`{name}`' for name in names.split())}: {reason}" for reason, names in UNDEFINED.items()]
    return "\n".join([*lines, f"- {', '.join(f'`{part}`' for part in _OF_LIBRARIES)} and others of these names: {SUMS}"])


if __name__ == "__main__":
    given = ArgumentParser()
    given.add_argument("--part", default="")
    given.add_argument("--write", action="store_true")
    options = given.parse_args()
    main(options.part, options.write)
