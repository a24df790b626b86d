"""Writing in place: versions, views and bases, leaves; gradients as PyTorch gives them."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st


def leaf(values) -> dy2st.Tensor:
    return dy2st.to_tensor(values, dtype="float64", stop_gradient=False)


def test_an_in_place_operator_writes_the_same_memory_and_counts():
    x = dy2st.zeros([2])
    array = x.numpy()
    assert x.add_(dy2st.ones([2])) is x
    np.testing.assert_array_equal(array, [1.0, 1.0])
    assert x.inplace_version == 1


def test_plain_iadd_makes_a_new_tensor():
    """`y += 1` rebinds y, as in Paddle."""
    x = dy2st.zeros([2])
    y = x
    y += 1
    assert y is not x
    np.testing.assert_array_equal(x.numpy(), [0.0, 0.0])


def test_views_share_memory_and_version():
    x = dy2st.zeros([2, 3])
    row, flat = x[0], x.reshape([6])
    row.fill_(5.0)
    np.testing.assert_array_equal(flat.numpy(), [5, 5, 5, 0, 0, 0])
    assert x.inplace_version == row.inplace_version == flat.inplace_version == 1


def test_a_leaf_refuses_outside_no_grad():
    x = leaf([1.0, 2.0])
    for write in (lambda: x.add_(1.0), lambda: x[0:1].zero_(), lambda: x.__setitem__(0, 1.0)):
        with pytest.raises(RuntimeError, match="leaf tensor"):
            write()
    with dy2st.no_grad():
        x.add_(1.0)
    np.testing.assert_array_equal(x.numpy(), [2.0, 3.0])
    assert x.is_leaf and not x.stop_gradient


def test_a_value_that_a_rule_needs_and_that_was_overwritten():
    x = leaf([1.0, 2.0])
    h = x * 1
    y = h * h
    h.add_(1.0)
    with pytest.raises(RuntimeError, match="multiply needs a tensor of shape \\[2\\] that was changed in place"):
        y.sum().backward()


def test_a_value_that_no_rule_needs_may_be_overwritten():
    x = leaf([1.0, 2.0])
    h = x * 1
    y = h + 1
    h.zero_()
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [1.0, 1.0])


def test_overwriting_through_a_detached_alias_is_noticed():
    x = leaf([1.0, 2.0])
    h = x * 1
    y = h * h
    h.detach().zero_()
    with pytest.raises(RuntimeError, match="changed in place"):
        y.sum().backward()


def test_an_output_that_was_overwritten_after_its_tensor_died():
    x = leaf([1.0, 2.0])
    h = x.exp()
    y = h + 1
    h.zero_()
    del h
    with pytest.raises(RuntimeError, match="exp needs"):
        y.sum().backward()


def test_writing_into_a_tensor_without_gradient_gives_it_one():
    x = leaf([1.0, 2.0])
    buffer = dy2st.zeros([3, 2], dtype="float64")
    buffer[1] = x * 3
    assert not buffer.stop_gradient
    (buffer * buffer).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 18 * x.numpy())


def test_writing_into_a_view_without_gradient_gives_its_base_one():
    x = leaf([1.0, 2.0])
    buffer = dy2st.zeros([3, 2], dtype="float64")
    row = buffer[1]
    row.add_(x)
    (buffer * 2).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [2.0, 2.0])


# Each function is written once for dy2st and PyTorch: t is the module's spelling of the in-place call.
@pytest.mark.parametrize(
    "view",
    [
        lambda t: t[0],
        lambda t: t.reshape([-1])[:3],
        lambda t: t[0:1].reshape([3]),
        lambda t: t.transpose([1, 0])[:, 0],
        lambda t: t.unsqueeze(1)[0][0],
    ],
)
def test_a_view_has_the_flags_of_its_base_as_soon_as_that_is_written(view):
    base, weights = dy2st.zeros([2, 3], "float64"), leaf([1.0, 2.0])
    row, other = view(base), base.detach()[0]
    assert row.stop_gradient and row.is_leaf
    base[0, :2] = weights
    assert not row.stop_gradient and not row.is_leaf and other.stop_gradient
    row.sum().backward()
    np.testing.assert_array_equal(weights.grad.numpy(), [1.0, 1.0])


def base_after_view(x, mul, add):
    y = x * 2
    v = y[0]
    mul(v, 3.0)
    return y


def view_after_base(x, mul, add):
    y = x * 2
    v = y[0]
    mul(y, 3.0)
    return v * v


def sibling_views(x, mul, add):
    y = x * 2
    a, b = y[0], y[0:2]
    mul(a, 5.0)
    return b * b


def view_of_view(x, mul, add):
    y = x * 2
    v = y[0:2][1]
    add(v, x[0])
    mul(y[0], 7.0)
    return y * v


def old_readers_keep_the_old_history(x, mul, add):
    y = x * 2
    before = y[0] + 0.0
    mul(y, 3.0)
    return before * before + y[1]


def chain_on_base(x, mul, add):
    y = x * 1
    for i in range(3):
        add(y[i], (y[(i + 1) % 3] * 1) * (y[(i + 2) % 3] * 1))
    return y


def self_product(x, mul, add):
    y = x * 1
    mul(y, y)
    mul(y, x)
    return y


def overlapping(x, mul, add):
    y = x * 1
    add(y[0:2], y[1:3] * 1)
    return y


PROGRAMS = [
    base_after_view,
    view_after_base,
    sibling_views,
    view_of_view,
    old_readers_keep_the_old_history,
    chain_on_base,
    self_product,
    overlapping,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients_through_views_and_writes_against_finite_differences(program):
    start = np.array([[0.5, -1.0], [2.0, 1.5], [-0.7, 0.3]])

    def value(array) -> float:
        return program(dy2st.to_tensor(array), lambda a, b: a.multiply_(b), lambda a, b: a.add_(b)).sum().item()

    x = leaf(start)
    program(x, lambda a, b: a.multiply_(b), lambda a, b: a.add_(b)).sum().backward()
    for place in np.ndindex(start.shape):
        up, down = start.copy(), start.copy()
        up[place] += 1e-6
        down[place] -= 1e-6
        assert x.grad.numpy()[place] == pytest.approx((value(up) - value(down)) / 2e-6, abs=1e-6)


# PyTorch refuses self_product, for it keeps no copy of what `mul_` overwrites.
@pytest.mark.parametrize("program", [f for f in PROGRAMS if f is not self_product], ids=lambda f: f.__name__)
def test_gradients_through_views_and_writes_against_torch(program):
    torch = pytest.importorskip("torch")
    start = np.array([[0.5, -1.0], [2.0, 1.5], [-0.7, 0.3]])
    x, y = leaf(start), torch.tensor(start, requires_grad=True)
    mine = program(x, lambda a, b: a.multiply_(b), lambda a, b: a.add_(b))
    theirs = program(y, lambda a, b: a.mul_(b), lambda a, b: a.add_(b))
    mine.sum().backward()
    theirs.sum().backward()
    np.testing.assert_allclose(mine.numpy(), theirs.detach().numpy())
    np.testing.assert_allclose(x.grad.numpy(), y.grad.numpy())


def test_views_under_no_grad_stay_out_of_the_graph():
    w = leaf([[1.0, 2.0]])
    with dy2st.no_grad():
        row = w[0]
        row.zero_()
    assert row.stop_gradient and w.is_leaf
    np.testing.assert_array_equal(w.numpy(), [[0.0, 0.0]])


def test_writing_through_a_view_made_under_no_grad_reaches_the_history_of_its_base():
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    y = x * 2
    with dy2st.no_grad():
        row = y[0]
    row.zero_()
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [[0.0, 0.0], [2.0, 2.0]])


def test_read_only_memory_is_refused_in_words():
    x = dy2st.ones([1, 2]).broadcast_to([3, 2])
    with pytest.raises(RuntimeError, match="read-only"):
        x.add_(1.0)


def test_a_value_too_large_for_its_target():
    with pytest.raises(ValueError, match=r"add_ can't write values of shape \[2, 3\] into a tensor of shape \[3\]"):
        dy2st.ones([3]).add_(dy2st.ones([2, 3]))


def test_a_dtype_that_does_not_fit_its_target():
    with pytest.raises(TypeError, match="can't write float32 values into a int64 tensor"):
        dy2st.to_tensor([1, 2]).add_(dy2st.ones([2]))
    with pytest.raises(TypeError, match="can't write Python float values into a int64 tensor"):
        dy2st.to_tensor([1, 2]).add_(1.5)


def test_threads_start_with_gradients_on():
    import threading

    seen = []
    with dy2st.no_grad():
        thread = threading.Thread(target=lambda: seen.append(dy2st.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]
