"""Classes and functions that make tensors of tensors, numbers and arrays, while staging."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from from_torch import constructors  # noqa: E402
from support.sampling import sampled  # noqa: E402
from torch.autograd import Variable  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = torch.tensor([1.0, 2.0])
FUNCTIONS = {
    "Variable": lambda x: Variable(x) * 2,
    "Tensor": lambda x: torch.Tensor(x) * 2,
    "FloatTensor": lambda x: torch.FloatTensor(x),
    "LongTensor": lambda x: torch.LongTensor(x.long()),
    "type(x)(x)": lambda x: type(x)(x),
    "lengths": lambda x: torch.Tensor(2, x.shape[0]).fill_(1),
    "shape": lambda x: torch.DoubleTensor(x.shape).fill_(1),
    "numbers": lambda x: torch.LongTensor([1, 2]) + x,
    "new": lambda x: (x.new(x), x.new([1.0, 2.0]), x.new(2, 3).zero_(), torch.Tensor.new(x, 3).zero_()),
    "as_subclass": lambda x: x.as_subclass(torch.Tensor),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("specs", [None, [InputSpec([None], "float32")]], ids=["known", "open"])
def test_e_01_classes_of_tensors_are_called(name: str, specs: Any) -> None:
    torch.testing.assert_close(dy2st.torch.to_static(FUNCTIONS[name], specs)(X.clone()), FUNCTIONS[name](X.clone()))


def test_e_01_the_history_of_a_tensor() -> None:
    def weighted(x):
        return Variable(x) * 3 + torch.Tensor(x) * 2 + torch.tensor(x) + torch.as_tensor(x) + x.new(x) + x.new_tensor(x)

    slopes = []
    for function in (weighted, dy2st.torch.to_static(weighted)):
        x = X.clone().requires_grad_()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch recommends clone()
            function(x).sum().backward()
        slopes.append(x.grad)
    torch.testing.assert_close(*slopes)


def test_e_01_the_tensor_itself_is_written() -> None:
    def written(x):
        y = x * 1
        for made in (torch.as_tensor(y), torch.Tensor(y), Variable(y), y.new(y)):
            made.add_(1)
        torch.tensor(y).add_(100)
        return y

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.testing.assert_close(dy2st.torch.to_static(written)(X), written(X))


class Own(torch.Tensor):
    """A class of the user's."""


REFUSED = {
    "_make_subclass": lambda x: torch.Tensor._make_subclass(Own, x),
    "Parameter": lambda x: torch.nn.Parameter(x),
    "Own": lambda x: Own(x),
    "as_subclass": lambda x: x.as_subclass(Own),
    "dlpack": lambda x: torch.utils.dlpack.to_dlpack(x),
    "UntypedStorage": lambda x: torch.UntypedStorage(x),
}


@pytest.mark.parametrize("name", REFUSED)
def test_e_01_other_classes_are_refused_at_the_line(name: str) -> None:
    with pytest.raises(ConversionError, match=r"test_constructors\.py:\d+: "):
        dy2st.torch.to_static(REFUSED[name])(X)


MAKE = partial(torch.IntTensor)
UNCONVERTED = {
    "called": lambda x: torch.FloatTensor(x),
    "beside isinstance": lambda x: (isinstance(x, torch.Tensor), torch.DoubleTensor(x)),
    "partial": lambda x: MAKE(x),
    "static method": lambda x: torch.Tensor._make_subclass(torch.Tensor, x if x is not None else 0),
}


@pytest.mark.parametrize("name", UNCONVERTED)
def test_e_01_code_of_c_is_refused_in_code_that_is_not_converted(name: str) -> None:
    inner = dy2st.jit.not_to_static(UNCONVERTED[name])
    with pytest.raises(ConversionError, match=r"test_constructors\.py:\d+: torch\.\w+"):
        dy2st.torch.to_static(lambda x: inner(x))(X)


def test_e_01_python_is_told_the_class_of_tensors() -> None:
    asked = dy2st.jit.not_to_static(
        lambda x: (isinstance(x if x is x else 0, (torch.Tensor, int)), x.__class__ is torch.Tensor, *map(torch.is_tensor, [x]))
    )
    assert dy2st.torch.to_static(lambda x: asked(x))(X) == (True, True, True)


@pytest.mark.long
def test_constructors_end_no_process() -> None:
    found = [*constructors.outcomes(sampled(constructors.CASES, 25))]
    assert [(case, made) for case, made in found if made.kind == "wrong"] == []


DTYPES = "bool uint8 int8 int16 int32 int64 float16 float32 float64 complex64".split()
ARRAYS = [np.array([1, 2]).astype(name) for name in DTYPES]
DATA: list[Any] = [
    *ARRAYS, *[x[0] for x in ARRAYS], *[np.array(x[1]) for x in ARRAYS],
    [np.float64(2), 3], [1, 2.5], [True, 2], [np.float32(1), 2.5], [np.int32(1), np.int32(2)],
    [np.bool_(True)], [], [[1], [np.float64(2)]], [np.array([1.0, 2.0])], 1j, [np.int64(1), True],
]  # fmt: skip


@pytest.mark.parametrize("name", ["tensor", "as_tensor", "asarray"])
def test_s_22_the_dtype_of_numpy_numbers_is_kept(name: str) -> None:
    make = getattr(torch, name)
    for data in DATA:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a list of arrays
            expected, found = make(data), dy2st.torch.to_static(lambda x: make(data))(X)  # noqa: B023
        torch.testing.assert_close(found, expected)


def test_s_22_numpy_numbers_beside_numbers_of_the_program() -> None:
    def listed(x):
        return torch.tensor([x[0], 1]), torch.tensor([np.float64(1), x.sum().item()]), torch.tensor([x.shape[0], np.float64(2)])

    for specs in (None, [InputSpec([None], "float32")]):
        torch.testing.assert_close(dy2st.torch.to_static(listed, specs)(X), listed(X))


def test_s_22_from_numpy() -> None:
    for array in ARRAYS:
        torch.testing.assert_close(dy2st.torch.to_static(lambda x: torch.from_numpy(array) + x)(X), torch.from_numpy(array) + X)  # noqa: B023
