"""Torch's views in a Program: what is written through them is seen in what they are views of, as in torch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.errors import Dy2stError  # noqa: E402

WRITES: dict[str, Callable] = {
    "view": lambda x: x.view(-1).add_(1),
    "view_as": lambda x: x.view_as(torch.zeros(2, 6)).add_(1),
    "reshape": lambda x: x.reshape(4, 3).mul_(2),
    "flatten": lambda x: x.flatten().add_(1),
    "flatten of a transpose": lambda x: x.t().flatten().add_(1),
    "unflatten": lambda x: x.unflatten(1, (2, -1)).add_(1),
    "t": lambda x: x.t().add_(1),
    "T": lambda x: x.T.add_(1),
    "mT": lambda x: x.mT.add_(1),
    "permute": lambda x: x.permute(1, 0).zero_(),
    "movedim": lambda x: x.movedim(0, 1).add_(1),
    "unsqueeze": lambda x: x.unsqueeze(0).add_(1),
    "squeeze": lambda x: x[:1].squeeze().add_(1),
    "select": lambda x: x.select(1, -2).fill_(7),
    "narrow": lambda x: x.narrow(1, -3, 2).fill_(7),
    "diagonal": lambda x: x.diagonal(1).add_(5),
    "diag": lambda x: torch.diag(x).add_(5),
    "split": lambda x: x.split(3, dim=1)[1].add_(1),
    "split_with_sizes": lambda x: x.split([1, 3], dim=1)[1].add_(1),
    "chunk": lambda x: x.chunk(2)[1].add_(1),
    "tensor_split": lambda x: x.tensor_split(3, dim=1)[0].add_(1),
    "hsplit": lambda x: torch.hsplit(x, 2)[1].add_(1),
    "unbind": lambda x: x.unbind(1)[0].add_(1),
    "slices": lambda x: x[:, ::2].add_(10),
    "a place": lambda x: x[-1, 1:].sub_(10),
    "a tensor without axes": lambda x: x[torch.tensor(1)].add_(10),
    "a tensor": lambda x: x[torch.tensor([0, 1])].add_(10),
    "a mask": lambda x: x[x > 3].add_(10),
    "contiguous": lambda x: x.contiguous().add_(1),
    "contiguous of a transpose": lambda x: x.t().contiguous().add_(1),
    "contiguous of rows": lambda x: x[1:].contiguous().add_(1),
    "contiguous of columns": lambda x: x[:, 1:].contiguous().add_(1),
    "contiguous of a view": lambda x: x.view(2, 6).contiguous().add_(1),
    "the same dtype": lambda x: x.float().add_(1),
    "another dtype": lambda x: x.double().add_(1),
    "to, a copy": lambda x: x.to(torch.float32, copy=True).add_(1),
    "clone": lambda x: x.clone().add_(1),
    "detach": lambda x: x.detach().add_(1),
    "flip": lambda x: x.flip(0).add_(1),
    "rot90, not at all": lambda x: torch.rot90(x, 4).add_(1),
    "atleast_3d": lambda x: torch.atleast_3d(x).add_(1),
    "windows side by side": lambda x: x.unfold(1, 2, 2).add_(1),
    "windows apart": lambda x: x.unfold(1, 1, 2).add_(1),
    "windows that overlap, and their base": lambda x: (x.unfold(1, 3, 1), x.mul_(2)),
    "pairs": lambda x: torch.view_as_complex(x.view(3, 2, 2)).mul_(2j),
    "pairs, and their base": lambda x: (torch.view_as_complex(x.view(3, 2, 2)), x.mul_(2)),
    "parts of pairs": lambda x: torch.view_as_complex(x.view(3, 2, 2)).imag.zero_(),
    "real numbers of complex ones": lambda x: torch.view_as_real(torch.view_as_complex(x.view(3, 2, 2)).t())[0].add_(1),
    "several views": lambda x: x.view(3, 2, 2).transpose(1, 2)[:, 0].add_(3),
    "tril_": lambda x: x.tril_(),
    "index_add_": lambda x: x.index_add_(0, torch.tensor([0, 0]), torch.ones(2, 4)),
    "index_fill_ of a view": lambda x: x[1:].index_fill_(1, torch.tensor([0, 2]), -1.0),
    "index_copy_": lambda x: x.index_copy_(1, torch.tensor([3]), torch.ones(3, 1)),
    "index_put_": lambda x: x.index_put_((torch.tensor([0, 0]), torch.tensor([1, 1])), torch.tensor(4.0), accumulate=True),
    "scatter_ of a view": lambda x: x.t().scatter_(0, torch.tensor([[0, 1, 2]]), 9.0),
    "masked_fill_ of a view": lambda x: x[:, 1:3].masked_fill_(x[:, 1:3] > 5, 0.0),
    "masked_scatter_": lambda x: x.masked_scatter_(x > 5, torch.arange(12.0)),
    "put_": lambda x: x.put_(torch.tensor([1, 2]), torch.tensor([9.0, 8.0])),
    "copy_": lambda x: x.t()[1:].copy_(torch.ones(3)),
    "zero_": lambda x: x.view(-1)[::3].zero_(),
    "fill_diagonal_": lambda x: x.fill_diagonal_(0.0),
    "addmm_": lambda x: x.addmm_(torch.ones(3, 2), torch.ones(2, 4), beta=2),
}


@pytest.mark.parametrize("name", WRITES)
def test_what_is_written_through_a_view_is_seen(name: str) -> None:
    write = WRITES[name]

    def both(x):
        return write(x), x

    given, ours = (torch.arange(12.0).reshape(3, 4) for _ in range(2))
    wanted = both(given)
    found = dy2st.torch.to_static(both)(ours)
    for mine, right in zip((*found, ours), (*wanted, given)):
        torch.testing.assert_close(mine, right)


def squeezed(x):
    x.squeeze_()
    return x


def overlapping(x):
    return x.unfold(1, 3, 1).add_(1)


@pytest.mark.parametrize(
    "function, words",
    [
        (squeezed, "write x = x.squeeze"),
        (overlapping, "writes a view that repeats elements"),
    ],
)
def test_what_a_program_cant_do_is_refused_in_words(function: Callable, words: str) -> None:
    with pytest.raises(Dy2stError, match=words):
        dy2st.torch.to_static(function)(torch.ones(3, 4))
