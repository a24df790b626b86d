"""The public functions against NumPy, and against PyTorch where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st

X = np.random.default_rng(0).uniform(0.1, 0.9, (3, 4)).astype("float32")
Y = np.random.default_rng(1).uniform(0.1, 0.9, (4,)).astype("float32")


def same(given, expected, tolerance: float = 1e-6) -> None:
    np.testing.assert_allclose(given.numpy(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    "name",
    "exp expm1 log log2 log10 log1p sqrt sin cos tan sinh cosh tanh floor ceil trunc sign square reciprocal isnan isinf".split(),
)
def test_functions_of_one_tensor(name):
    same(getattr(dy2st, name)(dy2st.to_tensor(X)), getattr(np, name)(X))
    same(getattr(dy2st.to_tensor(X), name)(), getattr(np, name)(X))


def test_functions_that_numpy_calls_otherwise():
    x = dy2st.to_tensor(X)
    same(dy2st.asin(x), np.arcsin(X))
    same(dy2st.acos(x), np.arccos(X))
    same(dy2st.atan(x), np.arctan(X))
    same(dy2st.atan2(x, x * 2), np.arctan2(X, 2 * X))
    same(dy2st.rsqrt(x), 1 / np.sqrt(X))
    same(dy2st.sigmoid(x), 1 / (1 + np.exp(-X)))
    same(dy2st.round(x, 1), np.round(X, 1))
    same(dy2st.round(dy2st.to_tensor([0.5, 1.5, 2.5])), [0.0, 2.0, 2.0])
    same(dy2st.scale(x, 2.0, 1.0), 2 * X + 1)
    same(dy2st.scale(x, 2.0, 1.0, bias_after_scale=False), 2 * (X + 1))
    same(dy2st.clip(x, 0.3, 0.5), np.clip(X, 0.3, 0.5))
    same(x.clip(max=dy2st.to_tensor(0.5)), np.minimum(X, 0.5))


@pytest.mark.parametrize(
    "name", ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "maximum", "minimum", "pow"]
)
def test_functions_of_two_tensors(name):
    expected = getattr(np, {"pow": "power"}.get(name, name))
    x, y = dy2st.to_tensor(X), dy2st.to_tensor(Y)
    same(getattr(dy2st, name)(x, y), expected(X, Y))
    same(getattr(dy2st, name)(x, 0.5), expected(X, np.float32(0.5)))
    same(getattr(x, name)(y), expected(X, Y))


def test_operators():
    x, y = dy2st.to_tensor(X), dy2st.to_tensor(Y)
    same(2 - x, 2 - X)
    same(1 / x, 1 / X)
    same(2**x, 2**X)
    same(-x, -X)
    same(abs(-x), X)
    same(7 // x, 7 // X)
    same(1 % x, 1 % X)
    same(x @ y, X @ Y)
    n = dy2st.to_tensor([5, -5])
    np.testing.assert_array_equal((n // 3).numpy(), [1, -2])
    np.testing.assert_array_equal((n % 3).numpy(), [2, 1])
    np.testing.assert_array_equal((~(n > 0)).numpy(), [False, True])
    np.testing.assert_array_equal(((n > 0) & (n < 9) | (n == -5)).numpy(), [True, True])
    np.testing.assert_array_equal((n ^ n).numpy(), [0, 0])


def test_division_by_zero_is_quiet(recwarn):
    x = dy2st.to_tensor([1.0, 0.0])
    np.testing.assert_array_equal((x / 0.0).numpy(), [np.inf, np.nan])
    np.testing.assert_array_equal(dy2st.log(x).numpy(), [0.0, -np.inf])
    assert not recwarn


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "amax", "amin", "prod", "all", "any", "logsumexp", "std", "var"])
@pytest.mark.parametrize(("axis", "keepdim"), [(None, False), (0, False), (-1, True), ([0, 1], False), ([], False)])
def test_reductions(name, axis, keepdim):
    expected = {
        "logsumexp": lambda x, axis, keepdims: np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims)),
        "std": lambda x, axis, keepdims: np.std(x, axis=axis, keepdims=keepdims, ddof=1),
        "var": lambda x, axis, keepdims: np.var(x, axis=axis, keepdims=keepdims, ddof=1),
    }.get(name) or getattr(np, name)
    axes = tuple(axis) or None if isinstance(axis, list) else axis
    same(getattr(dy2st, name)(dy2st.to_tensor(X), axis=axis, keepdim=keepdim), expected(X, axis=axes, keepdims=keepdim), 1e-5)


def test_positions_and_order():
    x = dy2st.to_tensor([[3, 1, 2, 1], [0, 5, 5, 4]])
    a = x.numpy()
    np.testing.assert_array_equal(x.argmax(1).numpy(), a.argmax(1))
    np.testing.assert_array_equal(x.argmin(-1, keepdim=True).numpy(), [[1], [0]])
    assert x.argmax().item() == 5 and x.argmax(dtype="int32").dtype == "int32"
    np.testing.assert_array_equal(x.sort(-1, descending=True).numpy(), np.sort(a)[:, ::-1])
    np.testing.assert_array_equal(x.argsort().numpy(), [[1, 3, 2, 0], [0, 3, 1, 2]])
    np.testing.assert_array_equal(x.argsort(descending=True).numpy(), [[0, 2, 1, 3], [1, 2, 3, 0]])
    values, indices = dy2st.topk(x, 2)
    np.testing.assert_array_equal(values.numpy(), [[3, 2], [5, 5]])
    np.testing.assert_array_equal(indices.numpy(), [[0, 2], [1, 2]])
    np.testing.assert_array_equal(dy2st.cumsum(x, 1).numpy(), a.cumsum(1))
    np.testing.assert_array_equal(dy2st.cumsum(x).numpy(), a.cumsum())
    np.testing.assert_array_equal(dy2st.cumprod(x, 0).numpy(), a.cumprod(0))


@pytest.mark.parametrize("axis", [None, 0, -1])
@pytest.mark.parametrize("keepdim", [False, True])
def test_median(axis, keepdim):
    same(dy2st.median(dy2st.to_tensor(X), axis, keepdim), np.median(X, axis=axis, keepdims=keepdim))


def test_median_of_an_even_number_and_with_a_nan():
    x = dy2st.to_tensor([4.0, 1.0, 3.0, 2.0])
    assert dy2st.median(x).item() == 2.5
    assert dy2st.median(x, mode="min").item() == 2.0
    assert np.isnan(dy2st.median(dy2st.to_tensor([1.0, float("nan")])).item())


@pytest.mark.parametrize("p", [None, "fro", 1, 2, 3, float("inf"), float("-inf"), 0, 0.5])
def test_norms(p):
    a = X - 0.5
    order = 2 if p in (None, "fro") else p
    same(dy2st.norm(dy2st.to_tensor(a), p), np.linalg.norm(a.ravel(), order), 1e-5)
    same(dy2st.norm(dy2st.to_tensor(a), p, axis=1, keepdim=True), np.linalg.norm(a, order, axis=1, keepdims=True), 1e-5)


def test_products():
    a, b = np.ones((2, 3, 4), "float32") * X, X.T.copy()
    x, y = dy2st.to_tensor(a), dy2st.to_tensor(b)
    same(dy2st.matmul(x, y), a @ b)
    same(dy2st.matmul(x, x, transpose_y=True), a @ a.swapaxes(1, 2))
    same(dy2st.bmm(x, dy2st.to_tensor(a.swapaxes(1, 2).copy())), a @ a.swapaxes(1, 2))
    same(dy2st.dot(y[0], y[1]), b[0] @ b[1])
    same(dy2st.outer(y[0], y[1]), np.outer(b[0], b[1]))
    same(dy2st.inner(y, y), np.inner(b, b))
    same(dy2st.mv(y, y[0]), b @ b[0])
    same(dy2st.addmm(dy2st.ones([4, 4]), y, dy2st.to_tensor(X), beta=2.0, alpha=0.5), 2 + 0.5 * (b @ X))
    with pytest.raises(ValueError, match="inner lengths 4 and 3 differ"):
        dy2st.matmul(x, dy2st.ones([3, 2]))
    with pytest.raises(ValueError, match="bmm takes tensors of 3 axes"):
        dy2st.bmm(y, y)


def test_choice_and_closeness():
    x = dy2st.to_tensor([1.0, -1.0])
    same(dy2st.where(x > 0, x, 0.0), [1.0, 0.0])
    assert dy2st.where(x > 0, 1, 2).dtype == "int64" and dy2st.where(x > 0, 1, 2.5).dtype == "float32"
    (found,) = dy2st.where(x > 0)
    assert found.numpy().ravel().tolist() == [0]
    with pytest.raises(TypeError, match="condition must be a bool Tensor, not float32"):
        dy2st.where(x, x, x)
    assert dy2st.allclose(x, x + 1e-9).item() and not dy2st.allclose(x, x + 1).item()
    assert dy2st.equal_all(x, x).item() and not dy2st.equal_all(x, dy2st.ones([3])).item()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: x.sum(axis=2), "sum: axis 2 is out of range for a tensor of rank 2"),
        (lambda x: x.mean(axis="a"), "mean: axis must be an int or a list of ints, not str 'a'"),
        (lambda x: x.topk(9), "topk: k=9 is out of range"),
        (lambda x: x + dy2st.ones([5]), "add: shapes .* don't broadcast"),
        (lambda x: dy2st.exp([1.0]), "exp: x must be a Tensor, not list"),
        (lambda x: x.argmax(dtype="float32"), "argmax: dtype must be int32 or int64"),
        (lambda x: x.norm("nuclear"), "norm: p must be a number"),
    ],
)
def test_errors_say_what_was_given(call, words):
    with pytest.raises((TypeError, ValueError), match=words):
        call(dy2st.to_tensor(X))


TORCH_NAMES = {"remainder": "remainder", "floor_divide": "floor_divide", "max": "amax", "prod": "prod"}


@pytest.mark.parametrize(
    "name", ["sigmoid", "tanh", "rsqrt", "logsumexp", "prod", "cumsum", "atan", "expm1", "max", "std", "median"]
)
def test_values_and_gradients_against_torch(name):
    torch = pytest.importorskip("torch")
    args = (1,) if name in ("logsumexp", "prod", "cumsum", "max", "std") else ()
    x, y = dy2st.to_tensor(X, stop_gradient=False), torch.tensor(X, requires_grad=True)
    given = getattr(x, name)(*args)
    expected = getattr(y, {"max": "amax", "median": "quantile"}.get(name, name))(*(args or ((0.5,) if name == "median" else ())))
    same(given, expected.detach().numpy(), 1e-5)
    given.sum().backward()
    expected.sum().backward()
    same(x.grad, y.grad.numpy(), 1e-5)
