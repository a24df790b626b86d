"""What torch refuses for a dtype, a length or an index, Programs refuse as torch does. `refusals.py` tries the whole grid."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sampling import sampled

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")

import torch.nn.functional as F  # noqa: E402
from from_torch.mistakes import caught_class, raised  # noqa: E402
from from_torch.refusals import NAMES, tried  # noqa: E402
from from_torch.values_in_files import loaded_call  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(NAMES, 8))
def test_what_torch_refuses_is_refused(name) -> None:
    assert not [(cell, result) for cell, result in tried(name, 1) if result.startswith("wrong")]


X = torch.arange(12.0).reshape(3, 4)
I = torch.tensor([-1, 0])  # noqa: E741
ROWS = torch.ones(2, 4)
NEGATIVE = {
    "gather": lambda x, i: x.gather(0, i[:, None]),
    "index_select": lambda x, i: x.index_select(0, i),
    "index_select of columns": lambda x, i: x.index_select(1, i),
    "index_select of a vector": lambda x, i: x[0].index_select(0, i),
    "scatter": lambda x, i: x.scatter(0, i[:, None], 1.0),
    "scatter_": lambda x, i: x.clone().scatter_(0, i[:, None], x),
    "scatter_add": lambda x, i: x.scatter_add(0, i[:, None], x),
    "scatter_reduce": lambda x, i: x.scatter_reduce(0, i[:, None], x, "amax"),
    "index_add": lambda x, i: x.index_add(0, i, x[:2]),
    "index_add of a vector": lambda x, i: x[0].index_add(0, i, x[0, :2]),
    "index_copy": lambda x, i: x.index_copy(0, i, x[:2]),
    "index_reduce": lambda x, i: x.index_reduce(0, i, x[:2], "prod"),
    "embedding": lambda x, i: F.embedding(i, x),
    "embedding_bag": lambda x, i: F.embedding_bag(i[None], x),
    "multi_margin_loss": lambda x, i: F.multi_margin_loss(x[:2], i),
    "max_unpool1d": lambda x, i: F.max_unpool1d(x[None, :1, :2], i[None, None], 2),
    "index_fill": lambda x, i: x.index_fill(0, i, 1.0),
    "take": lambda x, i: x.take(i),
    "put": lambda x, i: x.put(i, x[0, :2]),
    "index_put": lambda x, i: x.index_put((i,), x[:2]),
    "subscript": lambda x, i: x[i],
    "take_along_dim": lambda x, i: x.take_along_dim(i[:, None], 0),
}


@pytest.mark.parametrize("form", ["known", "dynamic", "caught", "loaded", "onnx", "jax"])
@pytest.mark.parametrize("name", sampled(NEGATIVE, 8))
def test_s_27_negative_indices_raise_where_torch_raises(name, form, tmp_path: Path) -> None:
    function = NEGATIVE[name]
    theirs = raised(lambda: function(X, I))
    if form == "caught":
        caught = caught_class(function)
        torch.testing.assert_close(dy2st.torch.to_static(caught)(X, I), caught(X, I))
        return
    specs = [InputSpec([None, 4], "float32"), InputSpec([None], "int64")]
    net = dy2st.torch.to_static(function, None if form == "known" else specs)
    call = loaded_call(net, form, tmp_path)
    assert raised(lambda: call(X, I)) == theirs


@pytest.mark.parametrize("form", ["known", "dynamic", "loaded", "onnx", "jax"])
@pytest.mark.parametrize("name", ["index_add", "index_add of a vector", "index_copy", "index_reduce", "index_select"])
def test_s_27_indices_that_are_too_large_raise_where_torch_raises(name, form, tmp_path: Path) -> None:
    function, large = NEGATIVE[name], torch.tensor([99, 0])
    specs = [InputSpec([None, 4], "float32"), InputSpec([None], "int64")]
    call = loaded_call(dy2st.torch.to_static(function, None if form == "known" else specs), form, tmp_path)
    assert raised(lambda: call(X, large)) == raised(lambda: function(X, large)) != "nothing"


def weighted_norm(x, weight):
    return F.layer_norm(x, (4,), weight)


def statistics(x, weight):
    return F.batch_norm(x, weight, weight, training=True)


def biased(x, weight):
    return F.conv1d(x[:, None], torch.ones(2, 1, 3), weight)


def weighed(x, weight):
    return F.nll_loss(x, torch.tensor([0, 1, 2]), weight)


@pytest.mark.parametrize("form", ["known", "dynamic", "loaded", "onnx", "jax"])
@pytest.mark.parametrize("function", [weighted_norm, statistics, biased, weighed])
def test_s_28_a_parameter_of_length_1_does_not_broadcast(function, form, tmp_path: Path) -> None:
    one, theirs = torch.ones(1), raised(lambda: function(X, torch.ones(1)))
    specs = [InputSpec([None, 4], "float32"), InputSpec([None], "float32")]
    call = loaded_call(dy2st.torch.to_static(function, None if form == "known" else specs), form, tmp_path)
    assert raised(lambda: call(X, one)) == theirs == "RuntimeError"


HALF = torch.nn.Linear(4, 3).half()
DTYPES = {
    "linear.half": lambda x: HALF(x),
    "weights of float64": lambda x: F.linear(x, torch.ones(3, 4).double()),
    "a large layer of half": lambda x: F.linear(F.pad(x, (0, 508)), torch.ones(512, 512).half()),
    "matmul": lambda x: x @ torch.ones(4, 2).double(),
    "conv1d": lambda x: F.conv1d(x[:, None], torch.ones(1, 1, 2).double()),
    "layer_norm": lambda x: F.layer_norm(x, (4,), torch.ones(4).double()),
    "where": lambda x: torch.where(x, x, x),
    "cross_entropy": lambda x: F.cross_entropy(x, x[:, 0].int()),
    "int targets": lambda x: F.binary_cross_entropy(x.sigmoid(), (x > 0).long()),
    "index_add": lambda x: x.index_add(0, torch.tensor([0]), x[:1].double()),
    "masked_scatter": lambda x: x.masked_scatter(x > 0, x.double()),
    "masked_fill": lambda x: x.masked_fill(x, 0.0),
    "softmax of ints": lambda x: x.long().softmax(0),
    "baddbmm": lambda x: torch.bmm(x[None], x.t()[None].double()),
    "lerp": lambda x: torch.lerp(x, x.double(), 0.5),
    "gather": lambda x: x.gather(0, x),
    "bool_minus": lambda x: (x > 0) - (x > 1),
}


@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("name", DTYPES)
def test_s_28_dtypes_that_torch_refuses_are_refused_with_a_dynamic_batch(name, is_open) -> None:
    function = DTYPES[name]
    theirs = raised(lambda: function(X))
    net = dy2st.torch.to_static(function, [InputSpec([None, 4], "float32")] if is_open else None)
    assert theirs != "nothing"
    assert raised(lambda: net(X)) == theirs


def transposed(x):
    x = x[:, :3] * 1
    x += x.t()
    return x


def shifted(x):
    x = x * 1
    x[1:] += x[:-1]
    return x


def copied(x):
    x = x * 1
    x[1:].copy_(x[:-1])
    return x


def scattered(x):
    x = x * 1
    return x.scatter_(0, torch.tensor([[1]]), x)


def first_row(x):
    x = x * 1
    x += x[:1]
    return x


def stored(x):
    x = x * 1
    torch.add(x[1:], 1, out=x[:-1])
    return x


def doubled(x):
    x = x * 1
    x += x
    x[1:] *= x[1:]
    torch.neg(x, out=x)
    x[:1] += x[1:2]
    x[:, ::2] -= x[:, 1::2]
    return x


OVERLAPS = [transposed, shifted, copied, scattered, first_row, stored, doubled]


@pytest.mark.parametrize("specs", [None, [InputSpec([None, 4], "float32")]], ids=["known", "dynamic"])
@pytest.mark.parametrize("function", OVERLAPS)
def test_s_27_overlapping_writes_raise_where_torch_raises(function, specs) -> None:
    theirs = raised(lambda: function(X))
    found = []
    net = dy2st.torch.to_static(function, specs)
    assert raised(lambda: found.append(net(X))) in ((theirs,) if specs is None else (theirs, "refused"))
    if theirs == "nothing":
        torch.testing.assert_close(found[0], function(X))


def test_s_27_what_the_order_of_loops_decides_is_refused() -> None:
    def by_columns(x):
        x = x * 1
        return x.mul_(x[:, :1])

    with pytest.raises(dy2st.errors.ConversionError, match="clone"):
        dy2st.torch.to_static(by_columns)(X)


EXPANDED = {
    "add_": lambda v: v.add_(1),
    "zero_": lambda v: v.zero_(),
    "fill_": lambda v: v.fill_(2.0),
    "copy_": lambda v: v.copy_(v + 1),
    "subscript": lambda v: v.__setitem__(slice(None), 5.0),
    "a column": lambda v: v[:, 0].add_(1),
    "a row": lambda v: v[0].add_(1),
    "exp_": lambda v: v.exp_(),
    "masked_fill_": lambda v: v.masked_fill_(v > 0, 1.0),
}


@pytest.mark.parametrize("specs", [None, [InputSpec([None, 4], "float32")]], ids=["known", "dynamic"])
@pytest.mark.parametrize("name", EXPANDED)
def test_e_08_a_write_into_an_expanded_tensor_is_caught_or_works_as_in_torch(name, specs) -> None:
    write = EXPANDED[name]

    def function(x):
        x = x * 1
        caught = 0
        try:
            write(x[:1].expand(3, 4))
        except RuntimeError:
            caught = 1
        return x, caught

    found: list = []
    net = dy2st.torch.to_static(function, specs)
    if raised(lambda: found.append(net(X))) == "refused":
        assert name in ("a row", "masked_fill_")
        return
    torch.testing.assert_close(found[0], function(X))


def test_e_08_an_expansion_that_repeats_nothing_can_be_written() -> None:
    def function(x):
        x = x * 1
        x.expand(3, 4).add_(1)
        return x

    torch.testing.assert_close(dy2st.torch.to_static(function)(X), function(X))
