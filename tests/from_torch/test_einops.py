"""einops in functions of PyTorch, with known and open lengths, in a process that has never called it before."""

from __future__ import annotations

import functools
import subprocess
import sys
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("einops")

from einops import einsum, pack, rearrange, reduce, repeat, unpack  # noqa: E402
from einops.layers.torch import Rearrange, Reduce  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

X = torch.arange(144.0).reshape(2, 3, 4, 6)
FUNCTIONS: dict[str, Any] = {
    "rearrange": lambda x: rearrange(x, "b c h w -> b (h w) c"),
    "patches": lambda x: rearrange(x, "b c (h p) (w q) -> b (h w) (p q c)", p=2, q=2),
    "lengths": lambda x: rearrange(x, "b c h w -> (b h) w c", b=x.shape[0]),
    "reduce": lambda x: reduce(x, "b c (h p) w -> b c h w", "max", p=2),
    "mean": lambda x: reduce(x, "b c h w -> b c", "mean"),
    "repeat": lambda x: repeat(x, "b c h w -> b c (h k) w", k=2),
    "repeat by a length": lambda x: repeat(x[:, 0, 0], "b w -> b n w", n=x.shape[1]),
    "einsum": lambda x: einsum(x, x, "b c h w, b c k w -> b h k"),
    "pack": lambda x: unpack(*pack([x, x[:, :1]], "b * h w"), "b * h w")[1],
    "layers": torch.nn.Sequential(Rearrange("b c h w -> b (c h) w"), Reduce("b c w -> b c", "sum")),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("lengths", [None, [None, 3, 4, 6], [None] * 4], ids=["known", "batch", "open"])
def test_e_02_einops(name: str, lengths: Any, tmp_path: Any) -> None:
    static = dy2st.torch.to_static(FUNCTIONS[name], None if lengths is None else [InputSpec(lengths, "float32")])
    torch.testing.assert_close(static(X), FUNCTIONS[name](X))
    if lengths:
        dy2st.jit.save(static, str(tmp_path / "f"))
        found = dy2st.jit.load(str(tmp_path / "f"))(dy2st.to_tensor(X.numpy()))
        torch.testing.assert_close(torch.tensor(found.numpy()), FUNCTIONS[name](X))


FIRST = """
import torch, einops, dy2st.torch
def f(x): return einops.rearrange(x, "a b -> b a")
print(dy2st.torch.to_static(f)(torch.ones(2, 3)).shape)
"""


def test_e_02_the_first_call_of_a_process(tmp_path: Any) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    ran = subprocess.run([sys.executable, str(tmp_path / "first.py")], capture_output=True, text=True, check=True)
    assert ran.stdout == "torch.Size([3, 2])\n"


@functools.cache
def halves(n: Any) -> Any:
    return n // 2, [n - n // 2, 1]


@functools.cache
def ramp(n: Any) -> Any:
    return torch.arange(n)


def test_e_02_cached_functions_of_lengths() -> None:
    taken = lambda x: x[: halves(x.shape[0])[0]] + halves(x.shape[0])[1][0]  # noqa: E731
    static = dy2st.torch.to_static(taken, [InputSpec([None], "float32")])
    for n in (2, 5):
        torch.testing.assert_close(static(torch.ones(n)), torch.ones(n // 2) + n - n // 2)


def test_e_02_a_result_that_the_cache_keeps_is_not_changed() -> None:
    def changed(x):
        kept = halves(x.shape[0])[1]
        kept.append(3)
        return x + len(kept)

    with pytest.raises(ConversionError, match=r"test_einops\.py:\d+: a result of halves is changed"):
        dy2st.torch.to_static(changed, [InputSpec([None], "float32")])(torch.ones(2))


def test_e_02_tensors_that_a_cache_keeps_are_refused() -> None:
    with pytest.raises(ConversionError, match="ramp keeps its results by its arguments"):
        dy2st.torch.to_static(lambda x: x + ramp(x.shape[0]), [InputSpec([None], "float32")])(torch.ones(2))
