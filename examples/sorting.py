"""A small LLaMA in plain PyTorch that learns to sort digits, with the loop that generates its answers, becomes a Program.

The decoder has rotary positions, and caches of keys and values that several heads share; the loop writes the likeliest token each
time, until each answer has its end. Neither is changed: the Program keeps the loop, its files run where there is no PyTorch; in
ONNX it is a Loop.

    python examples/sorting.py [folder for the files]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import dy2st
import dy2st.torch
from dy2st.static import InputSpec

ANSWER, END, WORDS = 10, 11, 12  # the digits are 0 to 9
SEED, STEPS, BATCH, LIMIT = 3, 250, 128, 16


class Norm(nn.Module):
    """Root mean square norm."""

    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


def rotated(x, angles):
    """Rotary positions: pairs of numbers turned by the angles of their places."""
    a, b = x.chunk(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


class Attention(nn.Module):
    """Several heads of queries share one of keys and values."""

    def __init__(self, width: int, heads: int, shared: int):
        super().__init__()
        self.heads, self.groups, self.size = heads, heads // shared, width // heads
        self.q, self.o = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.k = nn.Linear(width, width // shared, bias=False)
        self.v = nn.Linear(width, width // shared, bias=False)

    def forward(self, x, angles, mask, past_k, past_v):
        """x [n, m, width]; the caches [n, groups, past, size] -> as x; the caches, m longer."""
        n, m, width = x.shape
        q = rotated(self.q(x).view(n, m, self.heads, self.size).transpose(1, 2), angles)
        k = rotated(self.k(x).view(n, m, self.groups, self.size).transpose(1, 2), angles)
        v = self.v(x).view(n, m, self.groups, self.size).transpose(1, 2)
        k, v = torch.cat([past_k, k], dim=2), torch.cat([past_v, v], dim=2)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
        return self.o(y.transpose(1, 2).reshape(n, m, width)), k, v


class Block(nn.Module):
    def __init__(self, width: int, heads: int, shared: int):
        super().__init__()
        self.norm1, self.norm2 = Norm(width), Norm(width)
        self.attention = Attention(width, heads, shared)
        self.gate, self.up = nn.Linear(width, 2 * width, bias=False), nn.Linear(width, 2 * width, bias=False)
        self.down = nn.Linear(2 * width, width, bias=False)

    def forward(self, x, angles, mask, past_k, past_v):
        y, k, v = self.attention(self.norm1(x), angles, mask, past_k, past_v)
        x = x + y
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y)), k, v


class Decoder(nn.Module):
    """tokens [n, m], and the caches of what came before -> scores of the tokens that follow [n, m, words]."""

    def __init__(self, words: int, width: int = 64, depth: int = 4, heads: int = 4, shared: int = 2):
        super().__init__()
        self.groups, self.size = heads // shared, width // heads
        self.table = nn.Embedding(words, width)
        self.blocks = nn.ModuleList([Block(width, heads, shared) for _ in range(depth)])
        self.norm, self.out = Norm(width), nn.Linear(width, words, bias=False)
        self.register_buffer("speeds", 1000.0 ** -torch.linspace(0, 1, self.size // 2), persistent=False)

    def caches(self, n: int):
        """Keys and values of no tokens, for each block."""
        return [torch.zeros(n, self.groups, 0, self.size) for _ in self.blocks]

    def forward(self, tokens, keys: list[torch.Tensor], values: list[torch.Tensor]):
        past, m = keys[0].shape[2], tokens.shape[1]
        places = torch.arange(past, past + m)[:, None]
        mask = torch.arange(past + m) <= places
        x = self.table(tokens)
        for i, block in enumerate(self.blocks):
            x, keys[i], values[i] = block(x, places * self.speeds, mask, keys[i], values[i])
        return self.out(self.norm(x))


class Greedy(nn.Module):
    """tokens [n, m] -> with the likeliest ones behind them, until each row has its end."""

    def __init__(self, decoder: Decoder, end: int, limit: int):
        super().__init__()
        self.decoder, self.end, self.limit = decoder, end, limit

    def forward(self, tokens):
        n = tokens.shape[0]
        keys, values = self.decoder.caches(n), self.decoder.caches(n)
        scores = self.decoder(tokens, keys, values)
        done = torch.zeros(n, dtype=torch.bool)
        for _ in range(self.limit):
            token = scores[:, -1].argmax(-1).masked_fill(done, self.end)
            tokens = torch.cat([tokens, token[:, None]], dim=1)
            done = done | (token == self.end)
            if done.all():
                break
            scores = self.decoder(token[:, None], keys, values)
        return tokens


def questions(n: int, digits: int) -> torch.Tensor:
    """[n, digits + 1]: digits, and the sign for the answer."""
    return torch.cat([torch.randint(0, 10, (n, digits)), torch.full((n, 1), ANSWER)], dim=1)


def answered(asked: torch.Tensor) -> torch.Tensor:
    """The questions with their digits sorted behind them, and the end."""
    return torch.cat([asked, asked[:, :-1].sort(dim=1).values, torch.full((len(asked), 1), END)], dim=1)


def train(decoder: Decoder) -> None:
    """Plain PyTorch: learn to tell each token of the answers from those before."""
    optimizer = torch.optim.Adam(decoder.parameters(), lr=3e-3)
    for step in range(STEPS):
        digits = 2 + step % 4
        tokens = answered(questions(BATCH, digits))
        scores = decoder(tokens[:, :-1], decoder.caches(BATCH), decoder.caches(BATCH))
        loss = F.cross_entropy(scores[:, digits:].flatten(0, 1), tokens[:, digits + 1 :].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.4f}")


# What the fresh process runs: it has the three files and the questions, and no PyTorch.
CHILD = """
import sys
sys.modules["torch"] = None
import numpy as np
import dy2st
net = dy2st.jit.load(sys.argv[1])
given = np.load(sys.argv[2])
for name in given.files:
    if name.startswith("asked"):
        assert np.array_equal(net(dy2st.to_tensor(given[name])).numpy(), given[name.replace("asked", "written")])
print("loaded without PyTorch: same tokens")
"""


def in_a_fresh_process(folder: Path, pairs: list) -> None:
    """Load the files where there is no PyTorch, and hold their tokens against PyTorch's."""
    named = {f"{name}{i}": x.numpy() for i, pair in enumerate(pairs) for name, x in zip(("asked", "written"), pair)}
    np.savez(folder / "pairs.npz", **named)
    library = str(Path(dy2st.__file__).resolve().parent.parent)
    command = [sys.executable, "-c", CHILD, str(folder / "sorting"), str(folder / "pairs.npz")]
    sys.stdout.flush()
    subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": library}, check=True)


def in_onnx(folder: Path, net, pairs: list) -> None:
    """Export the model, and hold the tokens that ONNX Runtime gives against PyTorch's."""
    try:
        import onnxruntime

        import dy2st.onnx
    except ImportError:
        print("onnxruntime isn't installed: no ONNX model")
        return
    path = dy2st.onnx.export(net, str(folder / "sorting.onnx"))
    session = onnxruntime.InferenceSession(path)
    for asked, written in pairs:
        assert np.array_equal(session.run(None, {"tokens": asked.numpy()})[0], written.numpy())
    print("in ONNX Runtime: same tokens")


def main() -> None:
    torch.manual_seed(SEED)
    start = time.perf_counter()
    decoder = Decoder(WORDS)
    train(decoder)
    print(f"trained in {time.perf_counter() - start:.1f} s")
    model = Greedy(decoder, END, LIMIT).eval()
    asked = [questions(n, digits) for n, digits in ((5, 4), (200, 3), (1, 5))]
    with torch.no_grad():
        pairs = [(tokens, model(tokens)) for tokens in asked]
    rows = [row for given, found in pairs for row in zip(answered(given).tolist(), found.tolist())]
    right = sum(written[: len(wanted)] == wanted for wanted, written in rows)
    print(f"PyTorch: {pairs[0][1][0].tolist()}; {right} of {len(rows)} sorted rightly")

    start = time.perf_counter()
    net = dy2st.torch.to_static(model, [InputSpec([None, None], "int64", "tokens")])
    with torch.no_grad():
        assert all(torch.equal(net(given), found) for given, found in pairs)
    print(f"as a Program: same tokens, {time.perf_counter() - start:.1f} s with its conversion")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else scratch).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        dy2st.jit.save(net, str(folder / "sorting"))
        in_a_fresh_process(folder, pairs)
        in_onnx(folder, net, pairs)


if __name__ == "__main__":
    main()
