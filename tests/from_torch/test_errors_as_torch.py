"""What torch raises, Programs raise: called, in a `try` of the model, and saved and loaded; or dy2st refuses it in words."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from from_torch.alone import Alone  # noqa: E402
from from_torch.mistakes import FORMS, MISTAKES, found, of_torch, raised  # noqa: E402
from from_torch.operators import OPERATORS, _called, _copied, _function, _given  # noqa: E402
from support.sampling import sampled  # noqa: E402

import dy2st.static  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.torch.values import array_of, leaves  # noqa: E402

CASES = [(name, form) for name in MISTAKES for form in FORMS]
# masked_select: torch gives `out` another length with a warning; here it is a RuntimeError when the call finds it.
# __rsub__: called of two numbers, without a tensor, torch's method gives NotImplemented; here it is the operator's TypeError.
LATE = {"masked_select", "__rsub__"}


@pytest.mark.long
@pytest.mark.parametrize("name, form", sampled(CASES, 80))
def test_a_mistake_has_the_class_that_it_has_in_torch(name: str, form: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert found(name, form) in (of_torch(name), "refused")


WITH_ERRORS = [name for name, op in OPERATORS.items() if op.error_inputs_func is not None and name not in LATE]


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(WITH_ERRORS, 25))
def test_the_errors_of_torchs_own_samples(name: str) -> None:
    for wrong in OPERATORS[name].error_inputs("cpu"):
        given = _given(wrong.sample_input)
        tensors = [x for x in leaves(given) if isinstance(x, torch.Tensor)]
        net = dy2st.torch.to_static(_function(OPERATORS[name].op, wrong.sample_input))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = raised(lambda: _called(OPERATORS[name].op, *_copied(given)))  # noqa: B023
            assert raised(lambda: net(*_copied(tensors))) in (theirs, "refused")  # noqa: B023


@pytest.mark.parametrize("name", ["matmul", "index_tensor", "inverse", "truth", "one_hot"])
def test_without_torch(name: str) -> None:
    mistake, given = MISTAKES[name]
    net = dy2st.torch.to_static(mistake, [dy2st.static.InputSpec([None] * x.ndim, str(x.dtype)[6:]) for x in given])
    with Alone() as process, pytest.raises(Exception, match=of_torch(name)):
        process.called(net, [array_of(x) for x in given])


def test_a_matrix_that_cant_be_inverted_is_caught_by_torchs_class() -> None:
    def inverse(x):
        return torch.linalg.inv(x)

    with pytest.raises(torch.linalg.LinAlgError):
        dy2st.torch.to_static(inverse)(torch.zeros(2, 2))


def test_what_torch_says_is_said() -> None:
    def product(x):
        return x @ x

    with pytest.raises(RuntimeError, match="mat1 and mat2 shapes cannot be multiplied"):
        dy2st.torch.to_static(product)(torch.zeros(2, 3))


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(["matmul", "view", "gather", "index_tensor", "one_hot", "inverse", "truth"], 4))
def test_in_onnxruntime(name: str, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    mistake, given = MISTAKES[name]
    specs = [dy2st.static.InputSpec([None] * x.ndim, str(x.dtype)[6:]) for x in given]
    dy2st.onnx.export(dy2st.torch.to_static(mistake, specs), str(tmp_path / "net.onnx"))
    session = dy2st.onnx.Session(str(tmp_path / "net.onnx"))
    assert raised(lambda: session(*map(array_of, given))) == of_torch(name)


class Masked(torch.nn.Module):
    """Adds a mask that is None on one path, where it isn't None."""

    def forward(self, x, mask):
        chosen = None if mask.all() else mask.float()
        x = x / 2.0
        for _ in range(2):
            if chosen is not None:
                x = x + chosen
        return x


def added(x, other):
    try:
        return x + other, other + x
    except TypeError as error:
        return str(error)


def test_an_operand_that_torch_leaves_to_python_raises_as_there() -> None:
    static, x = dy2st.torch.to_static(added), torch.ones(2)
    for other in (None, "a", [1.0]):
        assert static(x, other) == added(x, other)
    net = dy2st.torch.to_static(Masked())
    for mask in (torch.ones(3, 4).bool(), torch.zeros(3, 4).bool()):
        x = torch.randn(3, 4)
        torch.testing.assert_close(net(x, mask), net.module(x, mask))


def test_a_check_of_all_elements_raises_as_torchs() -> None:
    def checked(x):
        torch._check_tensor_all(x > 0, lambda: "a number isn't positive")
        return x * 2, (x > 1)._is_any_true()

    static = dy2st.torch.to_static(checked, [dy2st.static.InputSpec([None], "float32")])
    for given in (torch.tensor([1.0, 2.0]), torch.tensor([0.5]), torch.tensor([])):
        assert all(map(torch.equal, static(given), checked(given)))
    for call in (static, checked):
        with pytest.raises(RuntimeError, match="a number isn't positive"):
            call(torch.tensor([1.0, -2.0]))
