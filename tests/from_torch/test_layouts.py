"""How tensors lie in memory: views and copies, strides and as_strided are torch's, or are refused."""

from __future__ import annotations

import pytest
from support.sampling import sampled

torch = pytest.importorskip("torch")

import dy2st.onnx  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

MAKERS = {
    "itself": lambda x: x,
    "a part of rows": lambda x: x[1:],
    "a part of columns": lambda x: x[:, 1:],
    "transposed": lambda x: x.t(),
    "a sum of one": lambda x: x.t() + 1,
    "a sum of a part": lambda x: x[:, 1:] + 1,
    "its clone": lambda x: x.t().clone(),
    "zeros like it": lambda x: torch.zeros_like(x.t()),
    "chosen": lambda x: torch.where(x.t() > 0, x.t(), 0.0),
    "a product": lambda x: x.t() @ x,
    "summed": lambda x: x.t()[None].sum(0),
    "sums so far": lambda x: x.t().cumsum(0),
    "softmax": lambda x: x.t().softmax(0),
    "joined": lambda x: torch.cat([x.t(), x.t()]),
    "expanded": lambda x: x[:1].expand(3, x.shape[1]).clone(),
    "one row": lambda x: x[:1].t(),
    "transposed twice": lambda x: (x.t() + 1).t(),
    "flipped": lambda x: x.t().flip(0),
    "of another dtype": lambda x: x.t().double(),
    "rows by number": lambda x: x.t()[torch.tensor([0, 1])],
    "filled": lambda x: x.t().masked_fill(x.t() > 0, 1.0),
    "in another shape": lambda x: x.reshape(-1, 2).t().reshape(x.shape[0], x.shape[1]),
}


def written_in_order(y):
    z = y.contiguous()
    return z.add_(100)


def written_in_a_row(y):
    return y.reshape(-1).add_(100)


def both_written(y):
    z = y.flatten()
    z[0] = 55.0
    y[0, 0] = 77.0
    return z


WRITES = [written_in_order, written_in_a_row, both_written]
CASES = [(name, write, is_open) for name in MAKERS for write in WRITES for is_open in (False, True)]


def _function(make, use):
    def function(x):
        x = x * 1
        y = make(x)
        return x, y, use(y)

    return function


@pytest.mark.long
@pytest.mark.parametrize(("name", "write", "is_open"), sampled(CASES, 24))
def test_a_write_is_seen_where_torch_shows_it_or_refused(name, write, is_open) -> None:
    function, x = _function(MAKERS[name], write), torch.arange(12.0).reshape(3, 4) - 5
    net = dy2st.torch.to_static(function, [InputSpec([None, None], "float32", "x")] if is_open else None)
    try:
        found = net(x)
    except ConversionError as error:
        assert "view" in str(error), error
        assert is_open or name in ("transposed twice", "in another shape"), name  # with a dimension of 1, more are views
        return
    torch.testing.assert_close(found, function(x))


@pytest.mark.parametrize("name", MAKERS)
def test_strides_are_torchs(name) -> None:
    function = _function(MAKERS[name], lambda y: (y.is_contiguous(), y.stride(), y.storage_offset()))
    x = torch.arange(12.0).reshape(3, 4)
    assert dy2st.torch.to_static(function)(x)[2] == function(x)[2]


def test_strides_of_open_lengths_are_torchs_also_for_a_length_of_1() -> None:
    def function(x):
        y = (x.transpose(0, 1) + 1).transpose(1, 2)
        return y.stride(), x.stride(), x.is_contiguous()

    net = dy2st.torch.to_static(function, [InputSpec([None, 3, None], "float32", "x")])
    for lengths in ((2, 3, 5), (1, 3, 5), (4, 3, 1)):
        x = torch.ones(lengths)
        try:
            found = net(x)
        except ConversionError as error:
            assert "length of 1" in str(error)
        else:
            assert found == function(x)


def test_an_argument_that_lies_otherwise_is_refused_where_strides_are_asked() -> None:
    net = dy2st.torch.to_static(lambda x: x.is_contiguous())
    assert net(torch.ones(3, 4)) is True
    for x in (torch.ones(4, 3).t(), torch.ones(4, 4)[1:]):
        with pytest.raises(ConversionError, match=r"pass x.clone"):
            net(x)


def chunks(x, y):
    """Overlapping chunks, as Longformer cuts them."""
    x = torch.relu(x).transpose(1, 2).reshape(x.size(0), x.size(2), x.size(1)).transpose(1, 2).contiguous()
    x = x.view(x.size(0), torch.div(x.size(1), 4, rounding_mode="trunc"), 4, x.size(2))
    size, stride = list(x.size()), list(x.stride())
    size[1], stride[1] = size[1] * 2 - 1, stride[1] // 2
    return x.as_strided(size=size, stride=stride) * y


@pytest.mark.parametrize("form", ["static", "onnx"])
def test_as_strided_of_open_lengths(form, tmp_path) -> None:
    specs = [InputSpec([None, None, None], "float32", "x"), InputSpec([], "float32", "y")]
    net, y = dy2st.torch.to_static(chunks, specs), torch.tensor(2.0)
    if form == "onnx":
        pytest.importorskip("onnxruntime")
        session = dy2st.onnx.Session(dy2st.onnx.export(net, str(tmp_path / "chunks.onnx")))
    for batch in (1, 2, 5):
        x = torch.randn(batch, 8 * batch, 3)
        if form == "onnx":
            found = torch.from_numpy(session(*[dy2st.to_tensor(part.numpy()) for part in (x, y)]).numpy())
            torch.testing.assert_close(found, chunks(x, y))
            continue
        gradients = []
        for function in (net, chunks):
            given = x.clone().requires_grad_()
            function(given, y).pow(2).sum().backward()
            gradients.append(given.grad)
        torch.testing.assert_close(net(x, y), chunks(x, y))
        torch.testing.assert_close(*gradients)


def written_through(x):
    x = x + 1
    y = x.as_strided((2, 2), (1, 1))
    y[0] = 1.0
    return x


def written_below(x):
    x = x + 1
    y = x.as_strided((2, 2), (1, 1))
    x[0] = 1.0
    return y


@pytest.mark.parametrize("function", [written_through, written_below])
def test_a_write_that_as_strided_would_show_is_refused(function) -> None:
    with pytest.raises(ConversionError, match="as_strided_copy"):
        dy2st.torch.to_static(function)(torch.ones(3, 4))


def carried(x, n: int):
    """A loop that leaves its tensor as it lies, and a branch that doesn't."""
    y = x.t() + 1
    for _ in range(n):
        y = y * 2
    z = y.reshape(-1)
    z[0] = 5.0
    return y, z


def test_what_a_loop_carries_lies_as_before() -> None:
    net = dy2st.torch.to_static(carried, [InputSpec([3, 4], "float32", "x"), InputSpec([], "int64", "n")])
    x = torch.arange(12.0).reshape(3, 4)
    torch.testing.assert_close(net(x, torch.tensor(3)), carried(x, 3))
