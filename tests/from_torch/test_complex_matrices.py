"""Matrices of complex numbers taken apart, solved and measured: torch's first samples, all of which are right."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from from_torch.operators import outcome, samples  # noqa: E402

NAMES = """
cholesky cholesky_inverse cholesky_solve geqrf lu lu_solve lu_unpack matrix_exp logdet linalg.det linalg.slogdet linalg.cholesky
linalg.cond linalg.eig linalg.eigh linalg.eigvalsh linalg.inv linalg.lstsq linalg.lu linalg.lu_solve linalg.matrix_rank
linalg.matrix_rank.hermitian linalg.norm linalg.pinv linalg.pinv.hermitian linalg.qr linalg.solve linalg.solve_triangular
linalg.svd linalg.svdvals linalg.tensorinv norm.nuc ormqr pinverse qr svd triangular_solve
""".split()


@pytest.mark.parametrize("name", NAMES)
def test_samples(name: str) -> None:
    found = [outcome(name, sample) for sample in samples(name, torch.complex64, 3)]
    assert found
    assert {made.kind for made in found} == {"right"}, found
