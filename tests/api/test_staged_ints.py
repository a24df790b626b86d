"""Ints that only the Program knows as arguments of public functions: what plain Python gives or raises, or a refusal in words."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from support.sampling import case_in_failure, sampled

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

from . import staged_ints

PARTS = 4  # tests
X = paddle.arange(24).astype("float32").reshape([6, 4])
N = paddle.to_tensor(2)


@functools.cache
def cases():
    return sampled(staged_ints.cases(), 75)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(PARTS))
def test_as_in_plain_python_or_refused(part, tmp_path):
    for case, call in staged_ints.functions_of(cases()[part::PARTS], tmp_path):
        with case_in_failure(str(case)), np.errstate(all="ignore"):
            expected = staged_ints.answer(call, case.given())
            found = staged_ints.answer(paddle.jit.to_static(call, input_spec=case.specs()), case.given())
            if found[0] == staged_ints.REFUSED:
                assert ": " in str(found[1])
            elif expected[0] != staged_ints.REFUSED:  # what is refused of a tensor in plain Python is no argument's fault
                assert staged_ints.same(found, expected), (expected, found)


def check(static, function, *given):
    """A static function gives or raises what plain Python does."""
    expected, found = staged_ints.answer(function, [*given]), staged_ints.answer(static, [*given])
    assert staged_ints.same(found, expected), (expected, found)


CHECKED_BY_THE_PROGRAM = {
    "split in sections": lambda x: paddle.split(x, [2, 2]),
    "split in fitting sections": lambda x: paddle.split(x, [2, 4]),
    "split in parts": lambda x: paddle.split(x, 4),
    "chunk": lambda x: x.chunk(4),
    "glu": lambda x: F.glu(x, 1),
    "glu of an odd length": lambda x: F.glu(x[:, :3], 1),
    "layer_norm": lambda x: F.layer_norm(x, [3]),
    "layer_norm of its length": lambda x: F.layer_norm(x, x.shape[-1]),
    "tensordot": lambda x: paddle.tensordot(x, x[:, :1], 1),
    "group_norm": lambda x: F.group_norm(x.reshape([2, x.shape[0] // 2, 4]), 2),
    "pixel_shuffle": lambda x: F.pixel_shuffle(x.reshape([1, x.shape[0], 2, 2]), 2),
    "transposed convolution": lambda x: F.conv1d_transpose(x.unsqueeze(0), paddle.ones([6, 1, 2]), stride=2, output_size=[20]),
    "unstack": lambda x: paddle.unstack(x, 0, 5),
    "unstack of its length": lambda x: paddle.unstack(x, 0, 6),
    "vander": lambda x: paddle.vander(x[0]),
    "lu_unpack": lambda x: paddle.linalg.lu_unpack(*paddle.linalg.lu(x)),
    "mode": lambda x: paddle.mode(x),
    "multi_dot": lambda x: paddle.linalg.multi_dot([x, x.t(), x]),
}


@pytest.mark.parametrize("function", CHECKED_BY_THE_PROGRAM.values(), ids=CHECKED_BY_THE_PROGRAM)
def test_an_open_length_is_checked_when_the_program_runs(function):
    check(paddle.jit.to_static(function, input_spec=[InputSpec([None, None])]), function, X)
    check(lambda x: paddle.jit.script(function)(x), function, X)


@pytest.mark.parametrize("sections", [[2, -1], [2, 4], [-1, -1], [3, 2], [-2, 8]])
def test_a_section_that_only_the_program_knows_may_be_what_is_left(sections):
    def parts(x, a, b):
        return paddle.split(x, [int(a), int(b)])

    def part(x, a, b):
        return paddle.crop(x, [int(b), -1], [1, 0])

    given = X, *map(paddle.to_tensor, sections)
    for function in (parts, part) if min(sections) >= -1 else (parts,):
        for shape in ([6, 4], [None, None]):
            specs = [InputSpec(shape), InputSpec([], "int64"), InputSpec([], "int64")]
            check(paddle.jit.to_static(function, input_spec=specs), function, *given)


REFUSED = {
    "split": lambda x, n: paddle.split(x, n),
    "chunk": lambda x, n: x.chunk(n),
    "tensor_split": lambda x, n: paddle.vsplit(x, n),
    "one of two": lambda x, n: paddle.split(x, 2 if n > 1 else 3),
    "avg_pool2d": lambda x, n: F.avg_pool2d(x.reshape([1, 1, 6, 4]), n),
    "conv2d": lambda x, n: F.conv2d(x.reshape([1, 1, 6, 4]), paddle.ones([1, 1, 2, 2]), stride=n),
    "unfold": lambda x, n: F.unfold(x.reshape([1, 1, 6, 4]), n),
    "pixel_shuffle": lambda x, n: F.pixel_shuffle(x.reshape([1, 4, 6, 1]), n),
    "diagonal": lambda x, n: x.diagonal(0, n - 2, 1),
}


@pytest.mark.parametrize("function", REFUSED.values(), ids=REFUSED)
def test_a_refusal_is_nothing_that_an_except_takes(function):
    def guarded(x, n):
        try:
            return function(x, int(n))
        except (TypeError, ValueError):
            return x * 0

    def in_a_branch(x, n):
        if n > 5:
            function(x, int(n))
        return x

    for call in (guarded, in_a_branch):
        with pytest.raises(ConversionError, match=r"test_staged_ints.py:\d+: .*known (while staging|only when)"):
            paddle.jit.to_static(call)(X, N)
