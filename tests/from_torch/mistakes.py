"""Common mistakes in models: each raises in torch. As Programs, in each form, they raise what the same `except` catches."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

import dy2st.torch
from dy2st.errors import ConversionError, StagedValueError
from dy2st.static import InputSpec
from dy2st.torch.values import array_of

X = torch.arange(1.0, 13).reshape(3, 4)
Y = torch.arange(1.0, 16).reshape(3, 5)
I = torch.tensor([5, 0, 9])  # noqa: E741
E = torch.zeros(0, 4)
S = torch.zeros(2, 2)
V = torch.tensor([1.0, 2.0])

MISTAKES: dict[str, tuple[Callable, tuple]] = {
    "matmul": (lambda x, y: x @ y, (X, Y)),
    "mm": (lambda x, y: torch.mm(x, y), (X, Y)),
    "bmm": (lambda x, y: torch.bmm(x[None], y[None]), (X, Y)),
    "linear": (lambda x, y: F.linear(x, y), (X, Y)),
    "add": (lambda x, y: x + y, (X, Y)),
    "add_": (lambda x, y: x.clone().add_(y), (X, Y)),
    "add_grows": (lambda x: x[:1].clone().add_(x), (X,)),
    "where": (lambda x, y: torch.where(x > 0, x, y), (X, Y)),
    "view": (lambda x: x.view(5, -1), (X,)),
    "reshape": (lambda x: x.reshape(7, 2), (X,)),
    "expand": (lambda x: x.expand(5, 4), (X,)),
    "cat": (lambda x, y: torch.cat([x, y]), (X, Y)),
    "stack": (lambda x, y: torch.stack([x, y]), (X, Y)),
    "split": (lambda x: x.split([1, 1]), (X,)),
    "chunk": (lambda x: x.chunk(0), (X,)),
    "unflatten": (lambda x: x.unflatten(0, (2, 2)), (X,)),
    "narrow": (lambda x: x.narrow(0, 2, 5), (X,)),
    "unfold": (lambda x: x.unfold(0, 9, 1), (X,)),
    "as_strided": (lambda x: x.as_strided((9, 9), (9, 9)), (X,)),
    "permute": (lambda x: x.permute(0), (X,)),
    "t": (lambda x: x[None].t(), (X,)),
    "item": (lambda x: x.item(), (X,)),
    "float": (lambda x: float(x), (X,)),
    "truth": (lambda x: 1 if x else 0, (X,)),
    "truth_of_nothing": (lambda x: 1 if x else 0, (E,)),
    "unpack": (lambda x: sum((lambda a, b: (a, b))(*x)), (X,)),
    "dim": (lambda x: x.sum(5), (X,)),
    "dim_softmax": (lambda x: x.softmax(2), (X,)),
    "dim_transpose": (lambda x: x.transpose(0, 5), (X,)),
    "dim_squeeze": (lambda x: x.squeeze(7), (X,)),
    "dims_twice": (lambda x: x.sum((0, 0)), (X,)),
    "index": (lambda x: x[7], (X,)),
    "index_many": (lambda x: x[0, 0, 0], (X,)),
    "index_tensor": (lambda x, i: x[i], (X, I)),
    "index_set": (lambda x, i: x.clone().index_put_((i,), x[:3]), (X, I)),
    "index_mask": (lambda x, v: x[v > 0], (X, V)),
    "index_select": (lambda x, i: x.index_select(0, i), (X, I)),
    "index_add": (lambda x, i: x.index_add(0, i, x), (X, I)),
    "index_copy": (lambda x, i: x.index_copy(0, i, x), (X, I)),
    "index_fill": (lambda x, i: x.index_fill(0, i, 1.0), (X, I)),
    "select": (lambda x: x.select(0, 7), (X,)),
    "unbind": (lambda x: x.unbind(5), (X,)),
    "take": (lambda x, i: x.take(i + 50), (X, I)),
    "gather": (lambda x, i: x.gather(0, i[:, None]), (X, I)),
    "scatter": (lambda x, i: x.scatter(0, i[:, None], 1.0), (X, I)),
    "scatter_add": (lambda x, i: x.scatter_add(0, i[:, None], x), (X, I)),
    "embedding": (lambda x, i: F.embedding(i, x), (X, I)),
    "nll": (lambda x, i: F.nll_loss(x, i), (X, I)),
    "cross_entropy": (lambda x, i: F.cross_entropy(x, i), (X, I)),
    "one_hot": (lambda i: F.one_hot(i, 3), (I,)),
    "bincount": (lambda i: torch.bincount(-i), (I,)),
    "max_of_nothing": (lambda x: x.max(), (E,)),
    "max_along_nothing": (lambda x: x.max(0).values, (E,)),
    "argmax_of_nothing": (lambda x: x.argmax(), (E,)),
    "topk": (lambda x: x.topk(9).values, (X,)),
    "kthvalue": (lambda x: x.kthvalue(9).values, (X,)),
    "multinomial": (lambda x: torch.multinomial(-x, 1), (X,)),
    "divide": (lambda i: i // i[1], (I,)),
    "remainder": (lambda i: i % i[1], (I,)),
    "int_power": (lambda i: i**-1, (I,)),
    "inverse": (lambda s: torch.linalg.inv(s), (S,)),
    "solve": (lambda s, v: torch.linalg.solve(s, v), (S, V)),
    "cholesky": (lambda s: torch.linalg.cholesky(s - 1), (S,)),
    "det": (lambda x: torch.det(x), (X,)),
    "conv_channels": (lambda x: F.conv2d(x[None, None], torch.ones(1, 2, 3, 3)), (X,)),
    "conv_kernel": (lambda x: F.conv2d(x[None, None], torch.ones(1, 1, 9, 9)), (X,)),
    "pool": (lambda x: F.max_pool2d(x[None], 9), (X,)),
    "pad": (lambda x: F.pad(x[None], (9, 9), mode="reflect"), (X,)),
    "layer_norm": (lambda x: F.layer_norm(x, (5,)), (X,)),
    "group_norm": (lambda x: F.group_norm(x[None], 2), (X,)),
    "batch_norm": (lambda x: F.batch_norm(x[:1], None, None, training=True), (X,)),
    "mse": (lambda x, y: F.mse_loss(x, y), (X, Y)),
    "bce": (lambda x: F.binary_cross_entropy(x, x), (X,)),
    "dropout": (lambda x: F.dropout(x, 2.0), (X,)),
    "reduction": (lambda x: F.mse_loss(x, x, reduction="most"), (X,)),
    "pixel_shuffle": (lambda x: F.pixel_shuffle(x[None], 2), (X,)),
    "einsum": (lambda x, y: torch.einsum("ij,ij->i", x, y), (X, Y)),
    "repeat": (lambda x: x.repeat(2), (X,)),
    "repeat_interleave": (lambda x, i: x.repeat_interleave(-i, 0), (X, I)),
    "masked_fill": (lambda x, v: x.masked_fill(v > 0, 0.0), (X, V)),
    "masked_scatter": (lambda x, v: x.masked_scatter(x > 0, v), (X, V)),
    "dtypes": (lambda x: x @ x.double().T, (X,)),
    "mean_of_ints": (lambda i: i.mean(), (I,)),
    "bool_minus": (lambda x: (x > 0) - (x > 1), (X,)),
    "int_plus_float_": (lambda i: i.clone().add_(1.5), (I,)),
    "softmax_of_ints": (lambda i: i.softmax(0), (I,)),
    "shift": (lambda x: x << 1, (X,)),
    "and": (lambda x: x & x, (X,)),
    "not": (lambda x: ~x, (X,)),
    "no_argument": (lambda x: torch.matmul(x), (X,)),
    "keyword": (lambda x: torch.sum(x, foo=1), (X,)),
    "text": (lambda x: torch.sum("a"), (X,)),
    "attribute": (lambda x: x.foo, (X,)),
    "negative_size": (lambda x: torch.zeros(-1), (X,)),
    "steps": (lambda x: torch.arange(3, 0, 1), (X,)),
    "quantile": (lambda x: x.quantile(2.0), (X,)),
    "searchsorted": (lambda x: torch.searchsorted(x, x[:2]), (X,)),
    "attention": (lambda x, y: F.scaled_dot_product_attention(x, y, x), (X, Y)),
    "clamp": (lambda x: torch.clamp(x), (X,)),
    "length": (lambda x: len(x.sum()), (X,)),
    "iterate": (lambda x: [row for row in x.sum()], (X,)),
}  # fmt: skip


def caught_class(mistake):
    """A function that says which handler has caught what `mistake` raises."""

    def attempt(*args):
        kind = 0
        if args[0].sum() > -100:
            try:
                mistake(*args)
            except IndexError:
                kind = 1
            except TypeError:
                kind = 2
            except NotImplementedError:
                kind = 3
            except torch.linalg.LinAlgError:
                kind = 4
            except RuntimeError:
                kind = 5
            except ValueError:
                kind = 6
            except AttributeError:
                kind = 7
        return args[0].sum() * 0 + kind

    return attempt


CAUGHT = "nothing IndexError TypeError NotImplementedError _LinAlgError RuntimeError ValueError AttributeError".split()
FORMS = ["called", "caught", "called, open lengths", "caught, open lengths", "loaded", "loaded, caught"]


def of_torch(name: str) -> str:
    """The class of what torch raises."""
    mistake, given = MISTAKES[name]
    return raised(lambda: mistake(*given))


def raised(call: Callable[[], object]) -> str:
    """The class of what a call raises; "refused" where dy2st says that it can't."""
    try:
        call()
    except (ConversionError, StagedValueError):
        return "refused"
    except Exception as error:
        return type(error).__name__
    return "nothing"


def found(name: str, form: str) -> str:
    """The class that a form of a mistake raises or catches; "refused" where dy2st says that it can't."""
    mistake, given = MISTAKES[name]
    is_open, is_loaded, is_caught = "open" in form, "loaded" in form, "caught" in form
    function: Any = caught_class(mistake) if is_caught else mistake
    spec = [InputSpec([None] * x.ndim, str(x.dtype).removeprefix("torch.")) for x in given] if is_open or is_loaded else None
    net: Any = dy2st.torch.to_static(function, spec)
    results: list = []

    def call() -> None:
        if not is_loaded:
            results.append(net(*given))
            return
        with tempfile.TemporaryDirectory() as folder:
            dy2st.jit.save(net, str(Path(folder, "net")))
            results.append(dy2st.jit.load(str(Path(folder, "net")))(*map(array_of, given)))

    leaving = raised(call)
    if leaving != "nothing" or not is_caught:
        return leaving
    return CAUGHT[int(results[0].numpy().item())]
