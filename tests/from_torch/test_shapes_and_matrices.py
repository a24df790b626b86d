"""The first samples of torch's database for shapes, indices, orders, matrices and transforms: none is wrong, none fails."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from from_torch.operators import DTYPES, outcome, samples  # noqa: E402

NAMES = """
expand flatten unflatten movedim permute squeeze.multiple unfold narrow select diagonal diag_embed block_diag
meshgrid.list_of_tensors cat stack column_stack split chunk hsplit unbind tile repeat repeat_interleave roll rot90 flip
cartesian_prod combinations __getitem__ index_put index_add index_copy index_fill index_reduce.mean gather scatter
scatter_add scatter_reduce.amax take take_along_dim put masked_select masked_scatter nonzero sort topk kthvalue unique
unique_consecutive searchsorted bincount addmm addmv addr baddbmm addbmm matmul einsum tensordot kron inner
linalg.multi_dot linalg.qr linalg.svd linalg.eigh linalg.solve linalg.lstsq linalg.pinv linalg.pinv.hermitian linalg.lu
linalg.matrix_rank linalg.tensorsolve lu_solve fft.fft fft.irfft fft.hfftn fft.rfft2 fft.fftshift stft istft
""".split()


@pytest.mark.parametrize("name", NAMES)
def test_samples(name: str) -> None:
    found = [outcome(name, sample) for dtype in DTYPES for sample in samples(name, dtype, 1)]
    assert found
    assert not [made for made in found if made.kind not in ("right", "raises", "refused")]
    assert any(made.kind == "right" for made in found)
