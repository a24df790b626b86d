"""What torch.compile and its kin have wrapped, operators of libraries, and what an input_spec may hold."""

from __future__ import annotations

import functools
import traceback

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

to_static = dy2st.torch.to_static
X = torch.arange(8.0).reshape(2, 4)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        if x.sum() > 0:
            return self.fc(x)
        return x


compiled = torch.compile(lambda x: x * 2)


class Forward(nn.Module):
    @torch.compile
    def forward(self, x):
        return x * 2


WRAPPED = {
    "a compiled module": (lambda m: torch.compile(m), lambda m: m(X)),
    "a compiled part": (lambda m: nn.Sequential(torch.compile(m)), lambda m: m(X)),
    "a compiled function": (lambda m: compiled, lambda m: X * 2),
    "a compiled function that is called": (lambda m: lambda x: compiled(x) + 1, lambda m: X * 2 + 1),
    "a compiled forward": (lambda m: Forward(), lambda m: X * 2),
    "DataParallel": (lambda m: nn.DataParallel(m), lambda m: m(X)),
    "a part in DataParallel": (lambda m: nn.Sequential(nn.DataParallel(m)), lambda m: m(X)),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_e_11_what_was_compiled_is_converted_from_its_python(name):
    wrap, expected = WRAPPED[name]
    module = Net()
    torch.testing.assert_close(to_static(wrap(module))(X), expected(module))


def test_e_11_hooks_of_a_compiled_module_are_refused():
    module = torch.compile(Net())
    module.register_forward_hook(lambda mod, args, out: out * 2)
    with pytest.raises(ConversionError, match="register them on the module that it was given"):
        to_static(nn.Sequential(module))(X)


@torch.library.custom_op("dy2st_tests::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@pytest.mark.parametrize("function", [lambda x: twice(x) + 1, lambda x: torch.ops.dy2st_tests.twice(x) + 1])
def test_e_11_an_operator_of_a_library_is_refused_at_the_users_line_until_it_is_registered(function, monkeypatch):
    with pytest.raises(ConversionError, match=rf"^{__file__}:\d+: torch.ops.dy2st_tests.twice isn't mapped .*register"):
        to_static(function)(X)
    monkeypatch.setattr("dy2st.torch.registering.REGISTERED", {})
    for op in (twice, torch.ops.dy2st_tests.twice, torch.ops.dy2st_tests.twice.default):
        dy2st.torch.registering.REGISTERED.clear()
        dy2st.torch.register(op)(lambda x: x + x)
        torch.testing.assert_close(to_static(function)(X), X * 2 + 1)


@functools.lru_cache
def cached(x):
    return x * 2


def test_e_11_what_is_advised_for_a_cached_function_works():
    with pytest.raises(TypeError, match="give it cached.__wrapped__"):
        to_static(cached)
    torch.testing.assert_close(to_static(cached.__wrapped__)(X), X * 2)
    with pytest.raises(ConversionError, match=r"call cached.__wrapped__\(...\)"):
        to_static(lambda x: cached(x))(X)
    torch.testing.assert_close(to_static(lambda x: cached.__wrapped__(x))(X), X * 2)


def test_e_11_dtypes_and_tensors_of_torch_are_specs():
    module = Net()
    assert InputSpec([None, 4], torch.float32, "x") == InputSpec([None, 4], "float32", "x")
    example = torch.ones(2, 4)
    for spec in ([InputSpec([None, 4], torch.float32)], [example], [example.numpy()], {"x": example}):
        torch.testing.assert_close(to_static(module, spec)(X), module(X))
    with pytest.raises(ValueError, match=r"x is float64\[2, 4\].* cast it, x.to\(torch.float32\)"):
        to_static(module, [torch.ones(2, 4)])(X.double())


def test_e_11_a_shape_is_no_spec():
    with pytest.raises(TypeError, match=r"holds \(None, 4\), which is a shape: write InputSpec\(\[None, 4\], 'float32'\)"):
        to_static(Net(), [(None, 4)])
    with pytest.raises(TypeError, match=r"\(2, 4\); for a tensor of that shape write InputSpec\(\[2, 4\], 'float32'\)"):
        to_static(Net(), [(2, 4)])(X)
    with pytest.raises(TypeError, match="input_spec is a list or tuple of InputSpecs"):
        to_static(Net(), InputSpec([2, 4]))


def raising(x):
    raise ValueError("no")


CALLS = [lambda: to_static(raising)(X), lambda: to_static(Net())(X[:, :3]), lambda: to_static(Net())(X, X)]


@pytest.mark.parametrize("call", CALLS)
def test_e_11_no_frame_of_ours_comes_before_the_users(call):
    with pytest.raises((ValueError, RuntimeError, TypeError)) as told:
        call()
    files = [frame.filename for frame in traceback.extract_tb(told.value.__traceback__)]
    assert not any("/dy2st/" in file and "/tests/" not in file for file in files)
