"""In which dtype tensors and numbers meet: every pair of dtypes, with axes, without, and Python numbers, as torch has it."""

from __future__ import annotations

import itertools
import operator
import warnings
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from support.sampling import sampled  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import Dy2stError  # noqa: E402

NAMES = "bool uint8 int16 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
TENSORS = {
    f"{name}{shape}": torch.tensor([1, 2] if shape else 2).to(getattr(torch, name)) for name in NAMES for shape in ("", "[2]")
}
OPERANDS: dict[str, Any] = {**TENSORS, "True": True, "3": 3, "2.5": 2.5, "1j": 1j, "-1": -1}
FUNCTIONS = {
    **{name: getattr(torch, name) for name in "add mul true_divide floor_divide remainder fmod pow maximum eq ge atan2".split()},
    **{name: getattr(torch, name) for name in "bitwise_or logical_xor xlogy copysign float_power ldexp hypot logaddexp".split()},
    **{name: getattr(operator, name) for name in "sub truediv floordiv mod pow and_ lshift lt".split()},
    "where": lambda a, b: torch.where(torch.tensor([True, False]), a, b),
    "clamp": lambda a, b: torch.clamp(a, min=b),
    "scaled": lambda a, b: torch.add(a, b, alpha=2),
    "trunc": lambda a, b: torch.div(a, b, rounding_mode="trunc"),
    "addcmul": lambda a, b: torch.addcmul(a, b, b, value=2),
    "add_": lambda a, b: a.clone().add_(b),
    "div_": lambda a, b: a.clone().div_(b),
    "pow_": lambda a, b: a.clone().pow_(b),
    "result_type": torch.result_type,
}
PAIRS = [(a, b) for a, b in itertools.product(OPERANDS, OPERANDS) if a in TENSORS or b in TENSORS]


def called(function: Any, name: str, a: str, b: str) -> Any:
    """What a function gives for two operands; None: it refuses them."""
    try:
        return function(*[x.clone() if isinstance(x, torch.Tensor) else x for x in (OPERANDS[a], OPERANDS[b])])
    except (AttributeError, RuntimeError, TypeError, ValueError, NotImplementedError, Dy2stError):
        return None


@pytest.mark.long
@pytest.mark.parametrize("name", FUNCTIONS)
def test_operands_meet_as_in_torch(name: str) -> None:
    function = FUNCTIONS[name]
    wrong = []
    for a, b in sampled(PAIRS, 6):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = called(function, name, a, b)
            found = called(dy2st.torch.to_static(lambda a, b: function(a, b)), name, a, b)
        if expected is not None and found is not None and not same(found, expected):
            wrong.append(f"{name}({a}, {b}) is {found}, not {expected}")
        if expected is not None and found is None and not lacks_complex32(expected):
            wrong.append(f"{name}({a}, {b}) is refused")
    assert not wrong


def same(found: Any, expected: Any) -> bool:
    if not isinstance(expected, torch.Tensor):
        return found == expected
    narrow = expected.dtype in (torch.float16, torch.bfloat16)
    alike = (found.dtype, found.shape) == (expected.dtype, expected.shape)
    wide = [x.to(torch.complex128) for x in (found, expected)]
    return alike and torch.allclose(*wide, rtol=1e-2 if narrow else 1e-5, equal_nan=True)


def lacks_complex32(expected: Any) -> bool:
    """Whether torch made a dtype that dy2st hasn't."""
    return torch.complex32 in (expected, getattr(expected, "dtype", None)) or expected is None


def test_classes_of_numbers_are_dtypes() -> None:
    def made(x):
        made = [torch.zeros(2, dtype=cls) for cls in (int, float, bool, complex)]
        return [*made, x.to(int), x.to("cpu", bool), x.to(dtype=float)]

    x = torch.tensor([1.5, 2.5])
    found = dy2st.torch.to_static(made)(x)
    assert [each.dtype for each in found] == [each.dtype for each in made(x)]
