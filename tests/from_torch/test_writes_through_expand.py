"""Writes into views whose elements share memory do what torch does, or raise its error. `overlaps_table.py` tries all cells."""

from __future__ import annotations

import pytest
from support.sampling import sampled

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")

from from_torch.overlaps_table import cells, result_of  # noqa: E402

import dy2st  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = torch.tensor([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])


@pytest.mark.long
@pytest.mark.parametrize("cell", sampled(cells(), 15), ids=str)
def test_e_08_a_write_is_as_in_torch_for_every_length(cell, tmp_path) -> None:
    assert not result_of(cell, tmp_path).startswith("wrong")


def one_of_the_copies(q):
    x = q * 1
    v = x.expand(3, *x.shape)
    v[1].mul_(10)
    v[2] = v[0] + 1
    return x, v


def some_elements(q):
    x = q * 1
    v = x[0].expand(2, 3)
    v.masked_fill_(torch.tensor([[True, False, False], [False, False, True]]), 5)
    v.index_fill_(1, index=torch.tensor([1]), value=6)
    return x, v


def mask_of_itself(q):
    x = q * 1
    v = torch.broadcast_to(x, (2, *x.shape)).transpose(0, 1)
    v[v < 0] = 0
    v[:, :, 2].sub_(1) if v.shape[1] == 1 else v[0, 0].sub_(1)
    return x, v


def all_elements(q):
    x = q * 1
    x[:1].expand_as(x).fill_(7)
    x.unfold(1, 2, 1)[:, 0].zero_()
    return x


WRITES = [one_of_the_copies, some_elements, mask_of_itself, all_elements]


@pytest.mark.parametrize("function", WRITES)
def test_e_08_writes_that_torch_allows(function) -> None:
    for shape in ([2, 3], [None, 3]):
        found = dy2st.torch.to_static(function, [InputSpec(shape, "float32")])(X.clone())
        torch.testing.assert_close(found, function(X.clone()))


def test_e_08_gradients_of_a_write_into_a_copy() -> None:
    given, ours = (X.clone().requires_grad_() for _ in range(2))
    net = dy2st.torch.to_static(one_of_the_copies, [InputSpec([2, 3], "float32")])
    for called, x in ((one_of_the_copies, given), (net, ours)):
        (called(x)[0] * torch.arange(1.0, 7.0).reshape(2, 3)).sum().backward()
    torch.testing.assert_close(ours.grad, given.grad)


@pytest.mark.parametrize("backend", ["onnxruntime", "jax"])
@pytest.mark.parametrize("function", WRITES)
def test_e_08_in_other_engines(function, backend, tmp_path) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip(backend)
    dy2st.jit.save(dy2st.torch.to_static(function, [InputSpec([None, 3], "float32")]), str(tmp_path / "net"))
    found = dy2st.jit.load(str(tmp_path / "net"), backend=backend)(dy2st.to_tensor(X.numpy()))
    expected = function(X.clone())
    for a, b in zip(found if isinstance(found, tuple) else (found,), expected if isinstance(expected, tuple) else (expected,)):
        torch.testing.assert_close(torch.from_numpy(a.numpy()), b)


def test_e_08_a_write_that_torch_refuses_is_caught() -> None:
    def caught(q):
        x = q * 1
        v = x.expand(2, *x.shape)
        try:
            v.add_(1)
        except RuntimeError:
            return x - 1
        return x

    def raises(q):
        x = q * 1
        x.expand(2, *x.shape).add_(1)
        return x

    for spec in ([2, 3], [None, 3]):
        torch.testing.assert_close(dy2st.torch.to_static(caught, [InputSpec(spec, "float32")])(X), caught(X))
        with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
            dy2st.torch.to_static(raises, [InputSpec(spec, "float32")])(X)
    empty = torch.zeros(0, 3)
    torch.testing.assert_close(dy2st.torch.to_static(raises, [InputSpec([None, 3], "float32")])(empty), raises(empty))


def test_e_08_lengths_that_only_a_call_tells() -> None:
    def function(q, r):
        x = q * 1
        v = x.expand(r.shape[0], 3)
        v.add_(1)
        return x

    net = dy2st.torch.to_static(function, [InputSpec([None, 3], "float32"), InputSpec([None, 3], "float32")])
    torch.testing.assert_close(net(X, X), function(X, X))
    for called in (function, net):
        with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
            called(X[:1], X)


def test_e_08_where_the_order_of_writes_decides_is_refused() -> None:
    def function(q):
        x = q * 1
        x.unfold(1, 2, 1).add_(1)
        return x

    with pytest.raises(ConversionError, match=r"test_writes_through_expand.py:\d+: torch.Tensor.add_ .*clone"):
        dy2st.torch.to_static(function, [InputSpec([2, 3], "float32")])(X)


def test_an_element_that_is_missing_is_told_before_what_the_call_always_raises() -> None:
    def function(q):
        x = q * 1
        x[:, 0].expand(2, 3).add_(1)
        return x

    net = dy2st.torch.to_static(function, [InputSpec([3, None], "float32")])
    for length, error in ((0, IndexError), (2, RuntimeError)):
        with pytest.raises(error):
            net(torch.zeros(3, length))
