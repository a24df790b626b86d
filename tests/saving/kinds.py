"""Saved models of every kind, small.

They stand for all files: what is true of every file (its bytes, its schema, what a damaged one does) is tested on these.

    python tests/saving/kinds.py FOLDER [earlier]

saves all of them in FOLDER and prints the sha256 of each file. `earlier`: layers and functions are made before, as in a session.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import dy2st as paddle
import dy2st.nn.functional as F
from dy2st import jit, nn, traced_module
from dy2st.func import functionalize, grad
from dy2st.static import InputSpec

ROWS = InputSpec([None, 3], "float32", "x")
X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


class Perceptron(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(3, 4), nn.Linear(4, 2)

    def forward(self, x):
        return self.last(F.relu(self.first(x)))


class Convolutional(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.drop = nn.Conv2D(1, 2, 3, padding=1), nn.BatchNorm2D(2), nn.Dropout(0.5)

    def forward(self, x):
        x = self.drop(F.relu(self.norm(self.conv(x.reshape([1, 1, -1, 3])))))
        return x.mean([2, 3])


class Looping(nn.Layer):
    def __init__(self):
        super().__init__()
        self.cell, self.seen = nn.Linear(3, 3), []

    def forward(self, x):
        kept = []
        for row in x:
            if row.sum() > 0:
                kept.append(self.cell(row))
        while x.sum() < 3:
            x = x + 1
            self.seen.append(x.mean())
        return kept, x, len(self.seen)


Point = collections.namedtuple("Point", "x y")


class Speed(enum.Enum):
    FAST = "fast"
    SLOW = "slow"


@dataclasses.dataclass
class Config:
    width: int = 3
    names: tuple = ("a", "b")


class Remembering(nn.Layer):
    """State of many kinds."""

    def __init__(self):
        super().__init__()
        self.table, self.seen, self.speed = {"n": 0, "last": None}, {"relu", "tanh", "gelu", "elu"}, Speed.FAST
        self.config, self.at, self.weights = Config(), Point(1, 2.5), paddle.arange(3).astype("float32")

    def forward(self, x):
        self.table["n"] += 1
        self.table["last"] = x
        if x.sum() > 0:
            self.seen.add("selu")
            self.speed = Speed.SLOW
        self.at = Point(self.at.x + 1, self.at.y * 2)
        self.config.width += len(self.seen)
        return x * self.weights, self.speed.value, self.table["n"], self.at


class TooLarge(ValueError):
    def __init__(self, total):
        super().__init__("too large", total)
        self.total = total


def checked(x):
    if x.sum() > 5:
        raise TooLarge(x.sum())
    return x * 2


def trying(x):
    done = 0
    try:
        for row in x:
            done += 1
            if row.sum() < -5:
                continue
            y = checked(row)
    except TooLarge as error:
        y = error.total + x.sum(axis=0)
    finally:
        done += 10
    return y, done


def halving(x, n):
    return x if n <= 0 else halving(x / 2, n - 1) + x


def recursing(x):
    n = 0
    while x.sum() > n:
        n = n + 1
    return halving(x, n + 2)


def comprehending(x):
    scale = 2
    rows = [row * scale for row in x if row.sum() > 0]
    table = {f"k{i}": (lambda a, k=i: a + k * scale)(x) for i in range(3)}
    total = sum(v.sum() for v in table.values())
    return rows, table, total, sorted({n % 2 for n in range(5)})


def generating(x):
    def parts():
        for row in x:
            yield row * 2
        with paddle.no_grad():
            yield x.sum(axis=0)

    return paddle.stack(list(parts())), [a + b for a, b in zip(x, x)]


def matching(x):
    config = {"kind": "scale", "by": 3}
    match config:
        case {"kind": "scale", "by": by} if x.sum() > -10:
            return x * by
        case _:
            return x


class Many(nn.Layer):
    """Several static methods, a mode, a property."""

    def __init__(self):
        super().__init__()
        self.body, self.count = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.1), nn.Linear(3, 2)), 0

    def forward(self, x):
        self.count += 1
        return self.body(x) * 2 if self.training else self.body(x)

    @jit.to_static(input_spec=[{"image": ROWS, "others": [ROWS, 7, None]}, 1.5])
    def infer(self, batch, by):
        return {"a": batch["image"] * by, "b": [o for o in batch["others"] if o is not None], "n": self.count}

    @jit.to_static(property=True)
    def width(self):
        return [3, 2]


class Scripted(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear, self.norm, self.count = nn.Linear(3, 3), nn.BatchNorm1D(3), 0

    def forward(self, x, times: int = 2):
        self.count += 1
        for _ in range(times):
            x = self.norm(self.linear(x))
        return x

    @jit.export
    def plus(self, x, by: float = 1.5):
        return x + by


def writing(a):
    b = a.reshape([-1])
    b.add_(1)
    return a * 2


def squares(a):
    return (a * a).sum()


def saved(function: Any) -> Callable[[Path], Path]:
    """What saves a Layer class or a function."""

    def save(path: Path) -> Path:
        jit.save(jit.to_static(function() if isinstance(function, type) else function, input_spec=[ROWS]), str(path))
        return path

    return save


def save_many(path: Path) -> Path:
    jit.save(jit.to_static(Many(), input_spec=[ROWS]), str(path))
    return path


def save_again(path: Path) -> Path:
    """What was loaded, saved again."""
    jit.save(jit.load(str(save_many(path))), str(path))
    return path


def save_archive(path: Path) -> Path:
    path = path.with_suffix(".dy2st")
    jit.save(jit.to_static(Perceptron(), input_spec=[ROWS]), str(path))
    return path


def save_scripted(path: Path) -> Path:
    made = jit.script(Scripted())
    made(paddle.to_tensor(X))
    jit.save(made, str(path), _extra_files={"labels.txt": "cat\ndog"})
    return path


def save_traced(path: Path) -> Path:
    jit.save(jit.trace(Perceptron(), paddle.to_tensor(X)), str(path))
    return path


def save_functionalized(path: Path) -> Path:
    jit.save(functionalize(writing), str(path), input_spec=[ROWS])
    return path


def save_gradient(path: Path) -> Path:
    jit.save(grad(squares), str(path), input_spec=[ROWS])
    return path


class Gate(nn.Layer):
    def __init__(self):
        super().__init__()
        self.blocks, self.scale = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.LayerNorm(3)), paddle.full([1], 2.0)

    def forward(self, x):
        x = self.blocks(x)
        if x.sum() > 0:
            return F.relu(x) * 2
        while x.sum() < 0:
            x = x + self.scale
        return x[:, 1:]


def traced_module_of(made: type[nn.Layer]) -> Callable[[Path], Path]:
    """What saves a Layer class as a TracedModule."""

    def save(path: Path) -> Path:
        paddle.save(traced_module.trace_module(made(), paddle.to_tensor(X)), path)
        return path

    return save


def save_state(path: Path) -> Path:
    tree = {"net": Convolutional().state_dict(), "epoch": 3, "best": float("inf"), 7: [(1, "x"), None, 0.1]}
    paddle.save({**tree, "z": paddle.to_tensor([1 + 2j])}, path)
    return path


def save_weights(path: Path) -> Path:
    path, net = path.with_suffix(".safetensors"), nn.Embedding(4, 3)
    paddle.save({"a": net.weight, "tied": net.weight, "half": net.weight.astype("float16")}, path)
    return path


def save_optimizer(path: Path) -> Path:
    net = Perceptron()
    for name, parameter in net.named_parameters():
        parameter.name = name  # an optimizer's state goes by these
    adam = paddle.optimizer.Adam(paddle.optimizer.lr.StepDecay(0.1, 2), parameters=net.parameters())
    net(paddle.to_tensor(X)).sum().backward()
    adam.step()
    paddle.save(adam.state_dict(), path)
    return path


KINDS: dict[str, Callable[[Path], Path]] = {
    "perceptron": saved(Perceptron),
    "convolutional": saved(Convolutional),
    "looping": saved(Looping),
    "remembering": saved(Remembering),
    "trying": saved(trying),
    "recursing": saved(recursing),
    "comprehending": saved(comprehending),
    "generating": saved(generating),
    "matching": saved(matching),
    "many": save_many,
    "again": save_again,
    "archive": save_archive,
    "scripted": save_scripted,
    "traced": save_traced,
    "functionalized": save_functionalized,
    "gradient": save_gradient,
    "traced_module": traced_module_of(Gate),
    "traced_convolutions": traced_module_of(Convolutional),
    "state": save_state,
    "weights": save_weights,
    "optimizer": save_optimizer,
}
STATE = {"state", "weights", "optimizer"}


def save_kind(name: str, folder: Path) -> Path:
    """Save one of KINDS in `folder`, with the same weights each time; the path that loads it."""
    paddle.seed(1)
    return KINDS[name](folder / name)


def answer(name: str, path: Path) -> Any:
    """What a file of this kind holds, or what its model gives for X in evaluation mode; as JSON has it."""
    if name in STATE:
        return plain(paddle.load(path))
    made = paddle.load(path) if name.startswith("traced_") else jit.load(str(path))
    if hasattr(made, "eval"):
        made.eval()
    return plain(made(paddle.to_tensor(X)))


def plain(value: Any) -> Any:
    """Tensors as lists, all else as JSON has it."""
    if isinstance(value, paddle.Tensor):
        found = value.numpy()
        return plain([found.real, found.imag] if found.dtype.kind == "c" else found.astype("float64"))
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def live_a_little() -> None:
    """What another process may have done before: its counters stand elsewhere."""
    for _ in range(3):
        nn.Linear(2, 3), nn.Conv2D(1, 1, 1), nn.BatchNorm2D(1), nn.Sequential(nn.ReLU()), nn.LayerNorm(2)
    jit.to_static(comprehending, input_spec=[ROWS]).concrete_program  # noqa: B018 - is staged


def main(folder: str, *how: str) -> None:
    if "earlier" in how:
        live_a_little()
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name in KINDS:
        save_kind(name, Path(folder))
    for path in sorted(Path(folder).iterdir()):
        print(hashlib.sha256(path.read_bytes()).hexdigest(), path.name)


if __name__ == "__main__":
    main(*sys.argv[1:])
