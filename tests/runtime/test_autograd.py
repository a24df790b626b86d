"""Gradients: accumulation, graphs kept and freed, hooks, partial gradients, depth, errors."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st


def leaf(*values: float) -> dy2st.Tensor:
    return dy2st.to_tensor(list(values), stop_gradient=False)


def test_gradients_add_up_over_uses_and_calls():
    x = leaf(2.0, 3.0)
    (x * x + x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [5.0, 7.0])
    (x * 2).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [7.0, 9.0])
    x.clear_grad()
    np.testing.assert_allclose(x.grad.numpy(), [0.0, 0.0])


def test_a_tensor_that_is_no_scalar_starts_from_ones_or_from_what_is_given():
    x = leaf(1.0, 2.0)
    (x * 3).backward()
    np.testing.assert_allclose(x.grad.numpy(), [3.0, 3.0])
    x.clear_grad(set_to_zero=False)
    assert x.grad is None
    (x * 3).backward(dy2st.to_tensor([1.0, 10.0]))
    np.testing.assert_allclose(x.grad.numpy(), [3.0, 30.0])
    with pytest.raises(ValueError, match=r"shape \[2\] can't have shape \[3\]"):
        (x * 3).backward(dy2st.ones([3]))


def test_two_leaves_never_share_a_gradient():
    x, y = leaf(1.0), leaf(2.0)
    (x + y).sum().backward()
    x.grad.zero_()
    np.testing.assert_allclose(y.grad.numpy(), [1.0])


def test_the_graph_is_freed_unless_retained():
    x = leaf(2.0)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    np.testing.assert_allclose(x.grad.numpy(), [8.0])
    with pytest.raises(RuntimeError, match="retain_graph=True"):
        y.backward()


def test_p_05_backward_without_anything_to_differentiate_does_nothing_as_in_paddle():
    assert dy2st.ones([2]).sum().backward() is None


@pytest.mark.parametrize("how", ["with", "decorator", "bare decorator"])
def test_no_grad(how):
    x = leaf(2.0)

    def double():
        return x * 2

    if how == "with":
        with dy2st.no_grad():
            y = double()
    else:
        y = (dy2st.no_grad()(double) if how == "decorator" else dy2st.no_grad(double))()
    assert y.stop_gradient
    assert dy2st.is_grad_enabled()


def test_grad_modes_nest():
    with dy2st.no_grad():
        with dy2st.enable_grad():
            assert dy2st.is_grad_enabled()
            with dy2st.set_grad_enabled(False):
                assert not dy2st.is_grad_enabled()
            assert dy2st.is_grad_enabled()
        assert not dy2st.is_grad_enabled()
    dy2st.set_grad_enabled(False)
    try:
        assert (leaf(1.0) * 2).stop_gradient
    finally:
        dy2st.set_grad_enabled(True)


def test_grad_leaves_dot_grad_alone():
    x, y = leaf(2.0), leaf(3.0)
    z = x * x * y
    gx, gy = dy2st.grad(z, [x, y])
    np.testing.assert_allclose([gx.item(), gy.item()], [12.0, 4.0])
    assert x.grad is None and gx.stop_gradient


def test_grad_with_respect_to_an_intermediate_and_to_the_output_itself():
    x = leaf(2.0)
    y = x * 3
    z = y * y
    gy, gz = dy2st.grad(z, [y, z])
    np.testing.assert_allclose([gy.item(), gz.item()], [12.0, 1.0])


def test_grad_of_something_unused():
    x, y = leaf(2.0), leaf(3.0)
    with pytest.raises(RuntimeError, match="allow_unused=True"):
        dy2st.grad(x * 2, [x, y])
    gx, gy = dy2st.grad(x * 2, [x, y], allow_unused=True)
    assert gx.item() == 2.0 and gy is None


def test_no_grad_vars_stop_the_walk():
    x = leaf(2.0)
    y = x * x
    (given,) = dy2st.grad(x * y, [x], no_grad_vars=[y])
    assert given.item() == 4.0


def test_grad_outputs_weigh():
    x = leaf(1.0, 2.0)
    (given,) = dy2st.grad([x * 2, x * 3], [x], grad_outputs=[dy2st.to_tensor([1.0, 0.0]), None])
    np.testing.assert_allclose(given.numpy(), [5.0, 3.0])


def test_third_derivative():
    x = leaf(2.0)
    y = x**4
    for expected in (32.0, 48.0, 48.0):
        (y,) = dy2st.grad(y, [x], create_graph=True)
        assert y.item() == pytest.approx(expected)


def test_create_graph_reaches_parameters():
    """A gradient penalty: the gradient with respect to the input is differentiated by the weight."""
    w, x = leaf(3.0), leaf(2.0)
    (g,) = dy2st.grad(w * x * x, [x], create_graph=True)
    (g * g).backward()
    assert w.grad.item() == pytest.approx(2 * (2 * 3 * 2) * (2 * 2))


def test_hooks_see_and_change_sums():
    x = leaf(1.0)
    seen = []
    x.register_hook(lambda g: seen.append(g.item()))
    y = x * 2
    handle = y.register_hook(lambda g: g * 10)
    (y + y).backward(retain_graph=True)
    assert seen == [40.0]
    assert handle.remove() and not handle.remove()
    (y + y).backward()
    assert seen == [40.0, 4.0]
    with pytest.raises(RuntimeError, match="stop_gradient=True"):
        dy2st.ones([1]).register_hook(print)


def test_retain_grads_keeps_the_gradient_of_an_intermediate():
    x = leaf(2.0)
    y, z = x * 3, x * 5
    y.retain_grads()
    (y * y + z).backward()
    assert y.grad.item() == 12.0 and z.grad is None


def test_ten_thousand_steps():
    x = leaf(1.0)
    y = x
    for _ in range(10_000):
        y = y + x
    y.backward()
    assert x.grad.item() == 10_001.0
    del y


def test_a_long_graph_that_was_never_used_is_freed_without_recursion():
    y = leaf(1.0)
    for _ in range(20_000):
        y = y * 1.0
    del y


def test_a_graph_is_freed_by_reference_counting():
    import gc
    import weakref

    gc.collect()
    gc.disable()
    try:
        x = leaf(1.0, 2.0)
        y = (x * 2).exp()
        array = weakref.ref(y._data)
        del y
        assert array() is None
    finally:
        gc.enable()


def test_stop_gradient_set_on_an_intermediate_cuts_there():
    x = leaf(2.0)
    y = x * 3
    y.stop_gradient = True
    (x * y).backward()
    assert x.grad.item() == 6.0


def test_detach_shares_memory_and_stops_gradients():
    x = leaf(2.0)
    d = x.detach()
    assert d.stop_gradient and np.shares_memory(d.numpy(), x.numpy())
    (x * d).backward()
    assert x.grad.item() == 2.0


def test_integer_results_carry_no_gradient():
    x = leaf(3.0, 1.0, 2.0)
    values, indices = x.topk(2)
    assert indices.stop_gradient and not values.stop_gradient
    assert x.argmax().stop_gradient and x.astype("int64").stop_gradient and (x > 1).stop_gradient
    values.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [1.0, 0.0, 1.0])


def test_gradients_keep_the_dtype_of_their_leaf():
    x = dy2st.to_tensor([1.0, 2.0], dtype="float64", stop_gradient=False)
    y = leaf(3.0, 4.0)
    (x * y).sum().backward()
    assert x.grad.dtype == "float64" and y.grad.dtype == "float32"
