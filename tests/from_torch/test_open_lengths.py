"""Torch's shape functions in one Program for all batch sizes: lengths that only the Program knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


def written(x):
    x = x.clone()
    x[:, 0] = x[:, 1] + 1
    x[..., -1] = 0
    x[x > 8] = -1
    return x


def rows(x):
    sums = []
    for row in x:
        sums.append(row.sum())
    return torch.stack(sums)


def on_devices(x):
    made = []
    for row in x:
        device = row.device
        made.append(torch.zeros(4, device=device) + row)
    return torch.stack(made) if len(made) and made[0].device == x.device else x


def until_equal(x):
    y, count = x[:1], 0
    while not torch.equal(x, y):
        x, count = x[:-1], count + 1
    return x * count


FUNCTIONS: dict[str, Callable] = {
    "equal": lambda x: x * torch.equal(x, x * 1) + torch.equal(x, x[:1]),
    "equal in a loop": until_equal,
    "devices": on_devices,
    "view": lambda x: x.view(x.shape[0], -1),
    "view2": lambda x: x.view(-1, 4),
    "view3": lambda x: x.view(x.size(0) * 3, 4),
    "reshape": lambda x: torch.reshape(x, (x.size(0), 2, 6)),
    "flatten": lambda x: x.flatten(1),
    "flatten0": lambda x: x.flatten(0, 1),
    "unflatten": lambda x: x.unflatten(2, (2, -1)),
    "unflatten0": lambda x: x.flatten(0, 1).unflatten(0, (-1, 3)),
    "permute": lambda x: x.permute(2, 0, 1),
    "movedim": lambda x: x.movedim(0, -1),
    "squeeze": lambda x: x[:, :1].squeeze(1),
    "expand": lambda x: x[:, :1].expand(-1, 5, -1),
    "expand2": lambda x: x[0].expand(x.shape[0], 3, 4),
    "expand_as": lambda x: x[:1].expand_as(x),
    "broadcast_to": lambda x: torch.broadcast_to(x[0], x.shape),
    "broadcast_tensors": lambda x: torch.broadcast_tensors(x[:, :1], x)[0],
    "sum_to_size": lambda x: x.sum_to_size(1, 4),
    "unfold": lambda x: x.unfold(0, 1, 1),
    "unfold2": lambda x: x.unfold(2, 2, 2),
    "narrow": lambda x: x.narrow(0, 1, x.shape[0] - 1),
    "select": lambda x: x.select(0, -1),
    "diagonal": lambda x: x.diagonal(0, 0, 1),
    "diag_embed": lambda x: torch.diag_embed(x),
    "diag": lambda x: torch.diag(x[:, 0, 0]),
    "tril": lambda x: torch.tril(x.permute(1, 0, 2)),
    "cat": lambda x: torch.cat([x, x[:1]], 0),
    "cat1": lambda x: torch.cat([x, torch.zeros(x.shape[0], 1, 4)], 1),
    "stack": lambda x: torch.stack([x, x], 1),
    "hstack": lambda x: torch.hstack([x, x]),
    "vstack": lambda x: torch.vstack([x, x]),
    "dstack": lambda x: torch.dstack([x, x]),
    "column_stack": lambda x: torch.column_stack([x[:, 0, 0], x[:, 1]]),
    "block_diag": lambda x: torch.block_diag(x[0], x[:, 0]),
    "split": lambda x: torch.split(x, 2, 2)[1],
    "split_sizes": lambda x: torch.split(x, [1, x.shape[0] - 1], 0)[1],
    "chunk": lambda x: x.chunk(2, 2)[1],
    "tensor_split": lambda x: x.tensor_split(2, 0)[0],
    "tensor_split1": lambda x: x.tensor_split([1], 0)[1],
    "unbind": lambda x: x.unbind(1)[1],
    "tile": lambda x: torch.tile(x, (2, 1, 1)),
    "repeat": lambda x: x.repeat(2, 1, 1, 1),
    "repeat2": lambda x: x[0].repeat(x.shape[0], 1, 1),
    "repeat_interleave": lambda x: x.repeat_interleave(2, 0),
    "repeat_interleave2": lambda x: x.repeat_interleave(torch.tensor([1, 0, 2]), 1),
    "repeat_interleave3": lambda x: torch.repeat_interleave(x, torch.arange(x.shape[0]), 0),
    "roll": lambda x: x.roll(1, 0),
    "roll2": lambda x: x.roll((1, 2), (0, 2)),
    "rollflat": lambda x: x.roll(1),
    "flip": lambda x: x.flip(0, 2),
    "rot90": lambda x: torch.rot90(x, 1, (0, 2)),
    "meshgrid": lambda x: torch.meshgrid(x[:, 0, 0], x[0, 0], indexing="xy")[0],
    "cartesian_prod": lambda x: torch.cartesian_prod(x[:, 0, 0], x[0, 0]),
    "kron": lambda x: torch.kron(x[:, 0], x[0]),
    "outer": lambda x: torch.outer(x[:, 0, 0], x[0, 0]),
    "getitem": lambda x: x[1:, None, ..., ::2],
    "mask": lambda x: x[x > 5],
    "setitem": written,
    "index_select": lambda x: x.index_select(0, torch.tensor([1, 0])),
    "gather": lambda x: x.gather(2, torch.zeros(x.shape[0], 3, 1, dtype=torch.int64)),
    "gather_argmax": lambda x: x.gather(2, x.argmax(2, keepdim=True)),
    "take_along_dim": lambda x: torch.take_along_dim(x, x.argsort(0), 0),
    "scatter": lambda x: torch.zeros(x.shape[0], 3, 6).scatter(2, x.long() % 4, x),
    "scatter_add": lambda x: torch.zeros(2, 3, 4).scatter_add(0, x.long() % 2, x),
    "index_add": lambda x: torch.zeros(2, 3, 4).index_add(0, torch.arange(x.shape[0]) % 2, x),
    "index_put": lambda x: torch.index_put(x, (torch.tensor([0]),), x[1]),
    "nonzero": lambda x: x.nonzero(),
    "where1": lambda x: torch.where(x > 3)[0],
    "masked_select": lambda x: x.masked_select(x[:1] > 3),
    "masked_scatter": lambda x: x.masked_scatter(x > 4, x),
    "sort": lambda x: x.sort(0, descending=True).values,
    "topk": lambda x: x.topk(2, 0).indices,
    "topkdyn": lambda x: x.topk(x.shape[0] - 1, 0).values,
    "kthvalue": lambda x: x.kthvalue(2, 0).values,
    "unique": lambda x: torch.unique(x.long() % 5, return_inverse=True, return_counts=True)[1],
    "searchsorted": lambda x: torch.searchsorted(torch.tensor([1.0, 5.0, 9.0]), x),
    "bucketize": lambda x: torch.bucketize(x, torch.tensor([1.0, 5.0, 9.0])),
    "bincount": lambda x: torch.bincount(x.long().flatten() % 5, minlength=7),
    "matmul": lambda x: x @ x.mT,
    "bmm": lambda x: torch.bmm(x, x.transpose(1, 2)),
    "baddbmm": lambda x: torch.baddbmm(x[:1, :, :3], x, x.mT, alpha=0.5),
    "addmm": lambda x: torch.addmm(x[0, 0], x[:, 0], torch.ones(4, 4)),
    "einsum": lambda x: torch.einsum("bij,bkj->bik", x, x),
    "einsum2": lambda x: torch.einsum("...ij->...j", x),
    "tensordot": lambda x: torch.tensordot(x, x, ([0, 2], [0, 2])),
    "inner": lambda x: torch.inner(x, x),
    "linalg_norm": lambda x: torch.linalg.norm(x, dim=(1, 2)),
    "norm": lambda x: x.norm(dim=-1, keepdim=True),
    "det": lambda x: torch.linalg.det(x[:, :, :3] + torch.eye(3) * 3),
    "solve": lambda x: torch.linalg.solve(x[:, :, :3] * 0.1 + torch.eye(3), x),
    "inv": lambda x: torch.linalg.inv(x[:, :, :3] * 0.1 + torch.eye(3)),
    "svdvals": lambda x: torch.linalg.svdvals(x),
    "pinv": lambda x: torch.linalg.pinv(x),
    "cross": lambda x: torch.cross(x, x.roll(1, 2), dim=1),
    "cdist": lambda x: torch.cdist(x, x),
    "fft": lambda x: torch.fft.fft(x),
    "rfft": lambda x: torch.fft.rfft2(x),
    "fft0": lambda x: torch.fft.ifft(x, dim=0),
    "fftn": lambda x: torch.fft.fftn(x, s=(-1, 4), dim=(0, 2)),
    "fftshift": lambda x: torch.fft.fftshift(x),
    "numel": lambda x: x.numel() + torch.zeros(1),
    "size": lambda x: torch.zeros(x.size()),
    "shape_math": lambda x: x.reshape(x.shape[0] * x.shape[1], x.shape[2]).sum(1).reshape(x.shape[:2]),
    "numelshape": lambda x: torch.ones(x.shape.numel()),
    "atleast": lambda x: torch.atleast_3d(x[:, 0]),
    "diagonal_scatter": lambda x: torch.diagonal_scatter(x, torch.ones(x.shape[0], 3), 0, 1, 2),
    "slice_scatter": lambda x: torch.slice_scatter(x, torch.zeros(x.shape[0] - 1, 3, 4), start=1),
    "select_scatter": lambda x: torch.select_scatter(x, torch.zeros(3, 4), 0, 1),
    "len": lambda x: torch.ones(len(x)),
    "combinations": lambda x: torch.combinations(x[0, 0]),
    "vander": lambda x: torch.linalg.vander(x[:, 0, 0], N=3),
    "a loop over rows": rows,
    "stft": lambda x: torch.stft(x.flatten(1), 4, return_complex=True),
    "hsplit": lambda x: torch.hsplit(x, 3)[0],
    "vsplit": lambda x: torch.vsplit(x, [1])[1],
    "argwhere": lambda x: torch.argwhere(x > 3),
    "tri_mask": lambda x: torch.ones(x.shape[0], x.shape[0]).tril().bool(),
    "contig": lambda x: x.transpose(0, 1).contiguous().view(3, -1),
    "index2": lambda x: x[torch.arange(x.shape[0]), x[:, :, 0].argmax(1)],
    "index3": lambda x: x[:, torch.tensor([0, 2])],
    "dynslice": lambda x: x[:, : x.shape[0]],
    "neg": lambda x: x[-x.shape[0] :],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_program_takes_each_length(name: str) -> None:
    function = FUNCTIONS[name]

    def called(x):
        return function(x)

    static = dy2st.torch.to_static(called, input_spec=[InputSpec([None, 3, 4], "float32", "x")])
    for length in (2, 5):
        given = torch.arange(length * 12.0).reshape(length, 3, 4) % 11
        torch.testing.assert_close(static(given.clone()), called(given.clone()), rtol=1e-4, atol=1e-4, equal_nan=True)
