"""The names of dy2st.linalg. Written by `python tests/support/stubs.py`."""

from dy2st.api.factors import corrcoef as corrcoef
from dy2st.api.factors import cov as cov
from dy2st.api.factors import eig as eig
from dy2st.api.factors import eigh as eigh
from dy2st.api.factors import eigvals as eigvals
from dy2st.api.factors import eigvalsh as eigvalsh
from dy2st.api.factors import householder_product as householder_product
from dy2st.api.factors import lstsq as lstsq
from dy2st.api.factors import matrix_rank as matrix_rank
from dy2st.api.factors import pinv as pinv
from dy2st.api.factors import qr as qr
from dy2st.api.factors import svdvals as svdvals
from dy2st.api.lu import lu as lu
from dy2st.api.lu import lu_solve as lu_solve
from dy2st.api.lu import lu_unpack as lu_unpack
from dy2st.api.memory import diagonal as diagonal
from dy2st.api.norms import cond as cond
from dy2st.api.norms import matrix_norm as matrix_norm
from dy2st.api.norms import norm as norm
from dy2st.api.norms import vector_norm as vector_norm
from dy2st.api.products import cross as cross
from dy2st.api.products import matrix_transpose as matrix_transpose
from dy2st.api.products import vecdot as vecdot
from dy2st.api.solving import cholesky as cholesky
from dy2st.api.solving import cholesky_inverse as cholesky_inverse
from dy2st.api.solving import cholesky_solve as cholesky_solve
from dy2st.api.solving import det as det
from dy2st.api.solving import inv as inv
from dy2st.api.solving import matrix_exp as matrix_exp
from dy2st.api.solving import matrix_power as matrix_power
from dy2st.api.solving import multi_dot as multi_dot
from dy2st.api.solving import slogdet as slogdet
from dy2st.api.solving import triangular_solve as triangular_solve
from dy2st.runtime.tensors.tensor import Tensor

def matmul(x: Tensor, y: Tensor, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product of matrices, or of stacks of them: [..., n, k] and [..., k, m] give [..., n, m]; the other axes broadcast."""

def solve(x: Tensor, y: Tensor, left: bool = True, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The z with x @ z = y (z @ x = y where not `left`), in the shape of y."""

def svd(x: Tensor, full_matrices: bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """U [..., n, k], S [..., k] and VH [..., k, m] with x [..., n, m] = U * S @ VH, k = min(n, m): S in descending order."""
