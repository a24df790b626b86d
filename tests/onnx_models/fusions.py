"""Random chains of operators that ONNX Runtime makes one node of, in the session that a user gets, against plain Python.

    python tests/onnx_models/fusions.py 2000            # counts of so many chains
    python tests/onnx_models/fusions.py 2000 --write    # the same, into docs/grids.md

A chain is two to five steps on a tensor of one to four axes: transposes, products, casts, reshapes, normalisations as people
write them, activations, convolutions with what stands around them. Half of them have dynamic dimensions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = map(str, (Path(__file__).parents[1], Path(__file__).parents[2]))

import numpy as np
from support.sections import write_section

import dy2st as paddle
from dy2st.nn import functional as F
from dy2st.static import InputSpec

COMMAND = "python tests/onnx_models/fusions.py 2000 --write"
SHAPES = ((4,), (3, 4), (4, 4), (2, 3, 4), (1, 3, 4), (2, 1, 4), (2, 3, 4, 4), (1, 2, 4, 4))
Step = Callable[[Any], Any]


def weights(shape: tuple[int, ...], draw: Random) -> Any:
    """Numbers that no sum makes large."""
    return paddle.to_tensor(np.random.default_rng(draw.randrange(2**32)).normal(size=shape).astype("float32"))


def transposed(x: Any, draw: Random) -> Step:
    order = draw.sample(range(x.ndim), x.ndim)
    return lambda x: paddle.transpose(x, order)


def turned(x: Any, draw: Random) -> Step:
    return (
        (lambda x: paddle.transpose(x, [*range(x.ndim - 2), x.ndim - 1, x.ndim - 2]))
        if x.ndim > 1
        else (lambda x: x.unsqueeze(0))
    )


def product(x: Any, draw: Random) -> Step:
    k = x.shape[-1]
    w = weights(draw.choice([(k,), (k, 5), (k, 3), (1, k, 2), (2, k, 3)] if x.ndim != 1 else [(k,), (k, 5)]), draw)
    scale = draw.choice([1.0, 0.5])
    return lambda x: (x * scale) @ w


def product_from_the_left(x: Any, draw: Random) -> Step:
    if x.ndim < 2:
        return product(x, draw)
    w, flag = weights(draw.choice([(x.shape[-2],), (5, x.shape[-2])]), draw), draw.random() < 0.5
    return lambda x: paddle.matmul(w, x) if flag or w.ndim == 1 else paddle.matmul(w.T, x, transpose_x=True)


def product_with_itself(x: Any, draw: Random) -> Step:
    return lambda x: paddle.matmul(x, x, transpose_y=True) if x.ndim > 1 else x * x


def added(x: Any, draw: Random) -> Step:
    w = weights(draw.choice([(x.shape[-1],), (1,), tuple(x.shape), ()]), draw)
    return draw.choice(
        [lambda x: x + w, lambda x: w - x, lambda x: x * w, lambda x: x / (w.abs() + 1.0), lambda x: paddle.maximum(x, w)]
    )


def reshaped(x: Any, draw: Random) -> Step:
    return draw.choice(
        [
            lambda x: x.flatten(),
            lambda x: x.unsqueeze(0),
            lambda x: x.unsqueeze(-1),
            lambda x: x.reshape([-1, x.shape[-1]]),
            lambda x: x.reshape([1, *x.shape]),
            lambda x: paddle.flip(x, [-1]),
            lambda x: x.reshape([x.shape[0], -1]),
        ]
    )


def sliced(x: Any, draw: Random) -> Step:
    return draw.choice(
        [
            lambda x: x[..., :2],
            lambda x: x[1:] if x.shape[0] > 1 else x,
            lambda x: x[..., ::2],
            lambda x: x[0] if x.ndim > 1 else x,
            lambda x: paddle.concat([x[..., :1], x], axis=-1),
            lambda x: paddle.concat([x, x], axis=0),
            lambda x: paddle.stack([x, -x]),
            lambda x: paddle.split(x, [1, -1], axis=-1)[1],
            lambda x: paddle.index_select(x, paddle.to_tensor([0, 0]), axis=-1),
        ]
    )


def cast(x: Any, draw: Random) -> Step:
    dtype = draw.choice(["float64", "float32", "int32", "int64", "float16"])
    return lambda x: x.astype(dtype).astype("float32") if dtype != "float16" else (x.astype(dtype) * 1).astype("float32")


def activated(x: Any, draw: Random) -> Step:
    return draw.choice(
        [
            F.relu,
            F.sigmoid,
            F.gelu,
            F.silu,
            paddle.tanh,
            F.softplus,
            lambda x: F.gelu(x, approximate=True),
            lambda x: x * F.sigmoid(x),
            lambda x: 0.5 * x * (1 + paddle.erf(x / 2**0.5)),
            lambda x: x.clip(-1, 1),
            lambda x: paddle.where(x > 0, x, x * 0.1),
            lambda x: F.leaky_relu(x, 0.2),
            lambda x: F.relu(x).clip(max=1.0),
            lambda x: x.clip(min=0.0),
            lambda x: -(-x),
            lambda x: x + 0,
            lambda x: 0.5 * x * (1 + paddle.tanh(0.7978845608 * (x + 0.044715 * x * x * x))),
            lambda x: x * 1,
            lambda x: x**2,
            lambda x: x**3,
        ]
    )


def normalised(x: Any, draw: Random) -> Step:
    scale, shift = weights((x.shape[-1],), draw), weights((x.shape[-1],), draw)

    def by_hand(x: Any) -> Any:
        d = x - x.mean(-1, keepdim=True)
        return d / ((d * d).mean(-1, keepdim=True) + 1e-5) ** 0.5 * scale + shift

    def root(x: Any) -> Any:
        return x * paddle.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * scale

    skipped = lambda x: F.layer_norm(x + shift, [x.shape[-1]], scale, shift)  # noqa: E731
    return draw.choice(
        [by_hand, root, skipped, lambda x: F.softmax(x, -1), lambda x: F.softmax(x, 0), lambda x: F.log_softmax(x, -1)]
    )


def reduced(x: Any, draw: Random) -> Step:
    axis, keep = draw.randrange(-x.ndim, x.ndim), draw.random() < 0.6
    name = draw.choice(["sum", "mean", "max", "min", "prod", "logsumexp"])
    return lambda x: getattr(paddle, name)(x, axis, keepdim=keep)


def convolved(x: Any, draw: Random) -> Step:
    if x.ndim != 4:
        return added(x, draw)
    w, bias, pad = weights((3, x.shape[1], 1, 1), draw), weights((3,), draw), draw.choice([0, 1])
    mean, variance, around = (
        weights((3,), draw),
        weights((3,), draw).abs() + 0.5,
        draw.choice(["conv", "norm", "pad", "relu", "add", "mul"]),
    )

    def step(x: Any) -> Any:
        x = F.pad(x, [pad, pad, 0, 1]) if around == "pad" else x
        y = F.conv2d(x, w, bias, padding=pad)
        if around == "norm":
            return F.batch_norm(y, mean, variance, mean, variance)
        if around in ("add", "mul"):
            return y + mean.reshape([3, 1, 1]) if around == "add" else y * mean.reshape([3, 1, 1])
        return F.relu(y) + y if around == "relu" else y

    return step


STEPS = (
    transposed,
    turned,
    product,
    product,
    product_from_the_left,
    product_with_itself,
    added,
    reshaped,
    sliced,
    cast,
    activated,
    normalised,
    reduced,
    convolved,
)


def chain(seed: int) -> tuple[Callable[[Any], Any], Any, bool, list[str]]:
    """A function, its argument, whether dimensions are dynamic, and the names of its steps."""
    draw = Random(seed)
    given = weights(draw.choice(SHAPES), draw)
    x, steps, names = given, [], []
    for _ in range(draw.randint(2, 5)):
        make = draw.choice(STEPS)
        if x.ndim == 0:
            break
        step = make(x, draw)
        try:
            x = step(x)
        except paddle.errors.ShapeError:
            continue  # batches that don't fit
        steps.append(step)
        names.append(make.__name__)

    def function(x: Any) -> Any:
        for step in steps:
            x = step(x)
        return x

    return function, given, draw.random() < 0.5, names


def differs(seed: int) -> str:
    """How ONNX Runtime differs for the chain of this seed; "" where it doesn't."""
    function, x, is_dynamic, names = chain(seed)
    wanted = function(x).numpy()
    if not np.isfinite(wanted).all() or np.abs(wanted).max(initial=0) > 1e5:
        return ""  # rounding would decide
    spec = InputSpec([None if is_dynamic else n for n in x.shape], "float32", "x")
    static = paddle.jit.to_static(function, input_spec=[spec], backend="onnxruntime")
    found = static(x).numpy()
    told = f"{' '.join(names)} of {x.shape}{' dynamic' if is_dynamic else ''}"
    if found.shape != wanted.shape:
        return f"{told}: {list(found.shape)}, expected {list(wanted.shape)}"
    rounding = 1e-2 if "cast" in names else 1e-3
    return (
        ""
        if np.allclose(found, wanted, rtol=rounding, atol=rounding)
        else f"{told}: {found.tolist()}, expected {wanted.tolist()}"
    )


def main() -> None:
    """Print the counts, or write them into the docs."""
    count, refused, wrong = int(sys.argv[1]), {}, 0
    for seed in range(count):
        try:
            reason = differs(seed)
        except paddle.errors.ConversionError as error:
            refused[seed] = str(error)
            continue
        except Exception as error:
            reason = repr(error)
        if reason:
            wrong += 1
            print(f"seed {seed}: {reason[:400]}", flush=True)
    text = f"{count:,} chains: {count - len(refused) - wrong:,} equal, {len(refused)} refused, {wrong} wrong."
    print(text, *sorted(set(refused.values()))[:9], sep="\n")
    if "--write" in sys.argv:
        write_section("grids.md", COMMAND, text)


if __name__ == "__main__":
    main()
