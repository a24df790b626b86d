"""Calls that Paddle refuses are refused with an exception of the same kind, in words that name the function."""

from __future__ import annotations

import importlib.util
import re

import pytest
from api.calls import INPUTS

import dy2st

REFUSED = """
paddle.reshape(x, [4, 2])
paddle.concat([x, y])
paddle.matmul(x, x)
paddle.add(x, q)
paddle.sum(x, 5)
paddle.transpose(x, [0, 0])
paddle.split(x, 4, 1)
paddle.squeeze(x, 5)
paddle.to_tensor([[1, 2], [3]])
paddle.zeros([-2, 3])
paddle.topk(x, 9)
paddle.linalg.inv(x)
paddle.linalg.cholesky(-sym)
paddle.stack([x, y])
paddle.bincount(x[0])
paddle.kthvalue(x, 9)
paddle.einsum('ij,jk->ik', x, x)
paddle.arange(0, 5, 0)
paddle.einsum('ij->k', x)
paddle.diag(c)
paddle.tensor_split(x, 0)
paddle.rot90(x, 1, [0])
paddle.unflatten(x, 1, [2, 2])
paddle.cross(x, y[:2])
paddle.median(x, 0, False, 'max')
paddle.polygamma(x, -1)
paddle.broadcast_shape([2], [3])
paddle.put_along_axis(x, z, x, 1, 'other')
paddle.take(x, n, 'other')
paddle.vander(x)
paddle.diff(x, 0)
paddle.dsplit(x, 1)
paddle.linalg.eigh(sym, 'X')
paddle.linalg.qr(x, 'other')
paddle.set_device('tpu')
paddle.iinfo('float32')
""".strip().splitlines()


def refusal(text: str, library) -> Exception:
    tensors = {name: library.to_tensor(array) for name, array in INPUTS.items()}
    with pytest.raises(Exception) as caught:
        eval(text, {"paddle": library, **tensors})
    return caught.value


@pytest.mark.parametrize("text", REFUSED)
def test_the_message_names_the_function(text):
    error = refusal(text, dy2st)
    assert isinstance(error, (ValueError, TypeError))
    name = re.search(r"(\w+)\(", text)[1]
    assert name.removesuffix("es") in str(error) or name[:3] in str(error).lower()


@pytest.mark.skipif(importlib.util.find_spec("paddle") is None, reason="Paddle isn't installed")
@pytest.mark.parametrize("text", REFUSED)
def test_the_kind_is_that_of_paddle(text):
    import paddle

    assert isinstance(refusal(text, dy2st), type(refusal(text, paddle)))
