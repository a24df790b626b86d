"""Small saved models of every kind, whose files the mutator changes: each with inputs that its call takes."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import dy2st as paddle
from dy2st import nn
from dy2st.func import functionalize
from dy2st.static import InputSpec

X = np.array([[1.0, -2.0, 3.0], [0.5, 2.0, -1.0]], "float32")


class Model(NamedTuple):
    """name; data: an archive; inputs: the arguments of a call."""

    name: str
    data: bytes
    inputs: tuple


class Perceptron(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.drop, self.last = nn.Linear(3, 4), nn.Dropout(0.5), nn.Linear(4, 2)

    def forward(self, x):
        return nn.functional.softmax(self.last(self.drop(self.first(x).tanh())))

    def score(self, x):
        return self.forward(x).max(axis=1), self.first.weight.sum()


class Convolution(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.pool = nn.Conv2D(1, 2, 3, padding=1), nn.BatchNorm2D(2), nn.MaxPool2D(2)

    def forward(self, x):
        return self.pool(self.norm(self.conv(x)).clip(min=0.0)).flatten(1)


class Counter(nn.Layer):
    def __init__(self):
        super().__init__()
        self.calls, self.seen, self.table = 0, [], {"last": 0.0}
        self.total = paddle.zeros([3])

    def forward(self, x):
        self.calls += 1
        if x.sum() > 0:
            self.seen.append(float(x.sum()))
            self.table["last"] = float(x.max())
        self.total = self.total + x[0]
        return self.total * self.calls, len(self.seen), self.table["last"]


class Point:
    def __init__(self, x, label):
        self.x, self.label = x, label


class Negative(ValueError):
    pass


class Extremes(NamedTuple):
    low: paddle.Tensor
    high: paddle.Tensor


def named(x):
    """A namedtuple, one of two, and a set of numbers."""
    found = Extremes(x.min(), x.max())
    if found.low < -1:
        found = found._replace(high=found.high * 2)
    return found, {int(found.high), 3}


def loops(x):
    """while, break, lists, and a result of two kinds."""
    outs, n = [], 0
    while x.abs().max() > 1.0:
        x = x * 0.5
        n += 1
        if n > 8:
            break
        outs.append(x)
    for row in x:
        if row.sum() < 0:
            continue
        outs.append(row)
    if not outs:
        return None, n
    return outs[-1], n


def containers(x):
    """dicts, sets, tuples and slices that only the Program knows."""
    counts, kinds = {}, set()
    for i in range(int(x.shape[0])):
        value = int(x[i].sum())
        counts[value] = counts.get(value, 0) + 1
        kinds.add(value % 3)
    best = sorted(counts)[-1]
    pair = (best, "many" if len(kinds) > 1 else "one")
    return x[:, 1:] + counts[best], pair, [k for k in counts if k > 0]


def exceptions(x):
    """try, raise, a class of the user's, finally."""
    steps = 0
    try:
        if x.sum() > 100:
            raise Negative("large", steps)
        try:
            steps = 10 // int(x.min() + 2)
        finally:
            x = x + 1
    except ZeroDivisionError as error:
        return x - 1, str(error)
    except Negative as error:
        return x * 0, error.args[0]
    return x * steps, "fine"


def recursion(x, depth=None):
    """A Function that calls itself."""

    def halve(y, n):
        if y.max() < 0.1 or n > 6:
            return y
        return halve(y / 2, n + 1) + 1

    return halve(x, 0)


def texts(x):
    """Strings, formats, numbers."""
    n = int(x.sum() * 10)
    name = f"{n:05d}|{x.max():.2f}|{hex(n)}".upper()
    parts = name.split("|")
    if n % 2:
        name = name.replace("0", "o").zfill(12)
    return name, len(parts), parts[0] + "%s:%d" % (name[1:3], n), abs(n) ** 0.5, divmod(n, 7)


def objects(x):
    """Objects, closures and variables that functions share."""
    point = Point(x[0], "start")
    calls = 0

    def move(by):
        nonlocal calls
        calls += 1
        point.x = point.x + by
        point.label = point.label + "!"

    while point.x.sum() < 5:
        move(1.0)
    return point.x, point.label, calls


def views(x):
    """Writes through views, without writes."""
    y = x * 1
    y[0, 1:] = 7.0
    y.t().add_(paddle.ones([3, 2]))
    return y, y.reshape([-1])[::2]


def scripted(x: paddle.Tensor, names: list[str], limit: int = 3) -> tuple[paddle.Tensor, dict[str, int]]:
    """Typed Python values."""
    table: dict[str, int] = {}
    n = 0
    while n < limit and bool(x.max() > 0):
        x = x - 1
        n += 1
        for name in names:
            table[name] = table.get(name, 0) + n
    return x, table


class Scripted(nn.Layer):
    step: float

    def __init__(self):
        super().__init__()
        self.step, self.history = 0.5, [1.0]
        self.linear = nn.Linear(3, 3)

    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        if bool(x.sum() > 0):
            self.history.append(float(x.max()))
        return self.linear(x) * self.step + len(self.history)


def traced(x):
    return paddle.concat([x.exp().cumsum(axis=0), x.sort(axis=1)], axis=0).transpose([1, 0])


def indexing(x):
    """Gathers, scatters, strides and everything that computes addresses."""
    order = x[:, 0].argsort()
    picked = paddle.gather(x, order)
    spread = paddle.put_along_axis(picked, paddle.to_tensor([[0], [2]]), 9.0, axis=1)
    top, where = paddle.topk(spread, 2)
    return x.as_strided([2, 2], [3, 1], 1) + top, where, paddle.nn.functional.pad(x, [1, 0]), x.unfold(1, 2, 1)


def _saved(layer: Any, *specs: Any) -> bytes:
    return _written(lambda file: paddle.jit.save(layer, file, input_spec=list(specs)))


def _written(write: Callable[[io.BytesIO], Any]) -> bytes:
    file = io.BytesIO()
    write(file)
    return file.getvalue()


def _methods() -> bytes:
    net = Perceptron()
    net.forward = paddle.jit.to_static(net.forward, input_spec=[InputSpec([None, 3], name="x")])
    net.score = paddle.jit.to_static(net.score, input_spec=[InputSpec([None, 3], name="x")])
    return _written(lambda file: paddle.jit.save(net, file))


def models() -> list[Model]:
    """Every kind of model."""
    open_batch = InputSpec([None, 3], "float32", "x")
    fixed = InputSpec([2, 3], "float32", "x")
    image = InputSpec([None, 1, 4, 4], "float32", "x")
    plain = [named, loops, containers, exceptions, recursion, texts, objects, indexing]
    script = paddle.jit.script
    return [
        Model("methods", _methods(), (X,)),
        Model("convolution", _saved(Convolution(), image), (np.ones((2, 1, 4, 4), "float32"),)),
        Model("state", _saved(Counter(), fixed), (X,)),
        *(Model(f.__name__, _saved(f, fixed if f is indexing else open_batch), (X,)) for f in plain),
        Model("views", _saved(functionalize(views, remove="mutations_and_views"), fixed), (X,)),
        Model("script_function", _written(lambda f: _compiled(script(scripted)).save(f)), (paddle.to_tensor(X), ["a", "b"])),
        Model("script_module", _written(lambda f: script(Scripted()).save(f)), (paddle.to_tensor(X),)),
        Model("trace", _written(lambda f: paddle.jit.trace(traced, paddle.to_tensor(X)).save(f)), (paddle.to_tensor(X),)),
    ]


def _compiled(function: Any) -> Any:
    function(paddle.to_tensor(X), ["a"])
    return function
