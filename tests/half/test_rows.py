"""The rows of half precision that users met, against PyTorch."""

from __future__ import annotations

import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

import torch.nn.functional as F  # noqa: E402

import dy2st  # noqa: E402
import dy2st.torch  # noqa: E402


def in_half(x):
    return (
        x.norm(), F.normalize(x, dim=0)[:2], F.cosine_similarity(x, x, 0), F.layer_norm(x, [1024])[:2], F.rms_norm(x, [1024])[:2],
        x.var(), x.std(), (x - x.mean()).sum(), F.avg_pool2d((x + 12).reshape(1, 1, 32, 32), 32),
    )  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_s_20_norm_of_half_precision_accumulates_in_float32(dtype):
    x = torch.full((1024,), 8.0).to(dtype)
    for found, right in zip(dy2st.torch.to_static(in_half)(x), in_half(x)):
        torch.testing.assert_close(found, right, rtol=1e-3 if dtype == torch.float16 else 8e-3, atol=0)


def counted(x):
    zeros, place = torch.zeros(2, dtype=x.dtype), torch.zeros(3000, dtype=torch.int64)
    return x.cumsum(0)[-1], x.sum(), x @ x, zeros.scatter_add(0, place, x)[0], x.float().to(x.dtype).mean() * 3000


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_s_20_a_long_sum_does_not_stop_growing(dtype):
    x = torch.ones(3000).to(dtype)
    assert [y.item() for y in dy2st.torch.to_static(counted)(x)] == [y.item() for y in counted(x)]


def test_s_20_softmax_of_as_many_as_float16_cannot_count():
    x = torch.zeros(70_000, dtype=torch.float16)
    assert torch.equal(dy2st.torch.to_static(lambda x: x.softmax(0))(x), x.softmax(0))


_FIRST = """
import torch
import dy2st.torch

def f(x):
    return x.bfloat16().cumsum(0)[-1], x.bfloat16().sum(), x.bfloat16() @ x.bfloat16()

print([y.item() for y in dy2st.torch.to_static(f)(torch.ones(3000))])
"""


def test_s_21_bfloat16_made_in_the_first_program_of_a_process_is_computed_in_float32(tmp_path):
    (tmp_path / "first.py").write_text(_FIRST)
    done = subprocess.run([sys.executable, tmp_path / "first.py"], capture_output=True, text=True)
    assert done.stdout == "[3008.0, 3008.0, 3008.0]\n", done.stderr
