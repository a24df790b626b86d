# ruff: noqa: F401
"""`dy2st.linalg`: products, factors and norms of matrices, under the names of `paddle.linalg`. Re-exports only."""

from .api.factors import (
    corrcoef,
    cov,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    householder_product,
    lstsq,
    matrix_rank,
    pinv,
    qr,
    svd,
    svdvals,
)
from .api.linalg import matmul
from .api.lu import lu, lu_solve, lu_unpack
from .api.memory import diagonal
from .api.norms import cond, matrix_norm, norm, vector_norm
from .api.products import cross, matrix_transpose, vecdot
from .api.solving import (
    cholesky,
    cholesky_inverse,
    cholesky_solve,
    det,
    inv,
    matrix_exp,
    matrix_power,
    multi_dot,
    slogdet,
    solve,
    triangular_solve,
)
