"""Models as they stand in people's files: configurations, mixins, caches, queues, decoding, machines written in Python."""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools

import numpy as np
import pytest

import dy2st as paddle
from dy2st.nn import functional as F
from dy2st.static import InputSpec

pytestmark = pytest.mark.by_turns

X = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
V = np.array([1, -2, 3], np.float32)
VECTOR, ROWS, COUNT = InputSpec([None]), InputSpec([None, 3]), InputSpec([], "int64")


def seeded(make):
    """A factory whose models all have the same weights."""

    @functools.wraps(make, updated=())
    def made():
        paddle.seed(1)
        return make()

    return made


class Speed(enum.Enum):
    FAST = "fast"
    SLOW = "slow"


@dataclasses.dataclass
class Config:
    width: int = 3
    depth: int = 3
    activations: tuple = ("gelu", "relu")


class Stack(paddle.nn.Layer):
    scale = 2

    def __init__(self, config=Config()):  # noqa: B008
        super().__init__()
        self.blocks = paddle.nn.LayerList([paddle.nn.Linear(config.width, config.width) for _ in range(config.depth)])
        self.config, self.speed, self.history = config, Speed.FAST, []
        self.register_buffer("count", paddle.zeros([1], dtype="int64"))

    @property
    def depth(self):
        return len(self.blocks)

    def before(self, x):
        return x * self.scale

    def forward(self, x):
        x = self.before(x)
        for i, block in enumerate(self.blocks):
            if self.speed is Speed.SLOW and i == 1:
                continue
            x = getattr(F, self.config.activations[i % 2])(block(x))
        if x.mean() > 0.1:
            x, self.speed = x / self.depth, Speed.SLOW
            self.history.append(x.mean())
        self.count += 1
        return {"out": x, "speed": self.speed.value, f"{len(self.config.activations)}/count": self.count}, len(self.history)


class Shifted:
    def before(self, x):
        y = super().before(x)
        return y + 1 if y.sum() > 0 else y - 1


class ShiftedStack(Shifted, Stack):
    scale = 3


class Attention(paddle.nn.Layer):
    def __init__(self, width=8, heads=2):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.q, self.k, self.v, self.out = [paddle.nn.Linear(width, width) for _ in range(4)]
        self.cache = {"k": [], "v": None}

    def split(self, x):
        return x.reshape([x.shape[0], -1, self.heads, self.size]).transpose([0, 2, 1, 3])

    def forward(self, x, mask=None):
        batch, length, width = x.shape
        q, k, v = [self.split(layer(x)) for layer in (self.q, self.k, self.v)]
        self.cache["k"].append(k)
        self.cache["v"] = v if self.cache["v"] is None else paddle.concat([self.cache["v"], v], axis=2)
        scores = paddle.matmul(q, paddle.concat(self.cache["k"], axis=2), transpose_y=True) / self.size**0.5
        if mask is not None:
            scores = scores + (1 - mask).unsqueeze([1, 2]) * -1e9
        found = paddle.matmul(F.softmax(scores, axis=-1), self.cache["v"])
        return self.out(found.transpose([0, 2, 1, 3]).reshape([batch, length, width])), len(self.cache["k"])


class Queue(paddle.nn.Layer):
    """A momentum encoder and a ring of its keys."""

    def __init__(self, size=4):
        super().__init__()
        self.query, self.key, self.size = paddle.nn.Linear(3, 3), paddle.nn.Linear(3, 3), size
        self.register_buffer("keys", paddle.zeros([size, 3]))
        self.register_buffer("place", paddle.zeros([1], dtype="int64"))

    @paddle.no_grad()
    def follow(self, momentum=0.9):
        for slow, fast in zip(self.key.parameters(), self.query.parameters()):
            slow.set_value(slow * momentum + fast * (1 - momentum))

    @paddle.no_grad()
    def push(self, rows):
        place = int(self.place)
        for i in range(rows.shape[0]):
            self.keys[(place + i) % self.size] = rows[i]
        self.place[0] = (place + rows.shape[0]) % self.size

    def forward(self, x):
        logits = paddle.matmul(self.query(x), self.keys.clone(), transpose_y=True)
        self.follow()
        self.push(self.key(x))
        return logits, self.place


class EarlyStopping(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.best, self.bad, self.history = None, 0, {}

    def forward(self, losses):
        value = float(losses.sum())
        if self.best is None or value < self.best:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        self.history[f"epoch_{len(self.history)}"] = value
        return self.bad >= 2, self.best, list(self.history)


State = collections.namedtuple("State", "h c n")


class Decoder(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.cell, self.embed, self.head = paddle.nn.LSTMCell(3, 3), paddle.nn.Embedding(4, 3), paddle.nn.Linear(3, 4)

    def step(self, tokens, state):
        y, (h, c) = self.cell(self.embed(tokens), (state.h, state.c))
        return self.head(y).argmax(axis=-1), state._replace(h=h, c=c, n=state.n + 1)

    def forward(self, x, steps):
        state, tokens = State(x, paddle.zeros_like(x), 0), []
        token, done = paddle.zeros([x.shape[0]], dtype="int64"), paddle.zeros([x.shape[0]], dtype="bool")
        for _ in range(steps):
            token, state = self.step(token, state)
            done = paddle.logical_or(done, token == 2)
            tokens.append(token)
            if done.all():
                break
        return (paddle.stack(tokens, axis=1) if tokens else None), state.h, state.n


class Parser:
    """Recursive descent over numbers, tensors and operators."""

    def __init__(self, tokens):
        self.tokens, self.place = tokens, 0

    def peek(self):
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def take(self):
        token = self.peek()
        self.place += 1
        return token

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        return value

    def product(self):
        value = self.atom()
        while self.peek() == "*":
            self.take()
            value = value * self.atom()
        return value

    def atom(self):
        token = self.take()
        if token == "(":
            value = self.sum()
            self.take()
            return value
        return token


def parse(x):
    return Parser([x, "+" if x.sum() > 0 else "*", "(", 2, "-", x[0], ")", "*", 3]).sum()


def stack_machine(x, n):
    program = [("push", 1), ("push", 2), ("add", None), ("dup", None), ("mul", None), ("jump", 2)]
    stack, place, steps = [n], 0, 0
    while place < len(program) and steps < 40:
        (name, argument), steps = program[place], steps + 1
        match name:
            case "push":
                stack.append(argument)
            case "add":
                stack.append(stack.pop() + stack.pop())
            case "dup":
                stack.append(stack[-1])
            case "mul":
                a, b = stack.pop(), stack.pop()
                stack.append(a * b)
            case "jump" if stack[-1] < 1000 and len(stack) > 1:
                place = argument - 1
        place += 1
    return stack, steps


def padded_batch(ids):
    rows = [row[: int((row != 0).sum())] for row in ids]
    longest = max(len(row) for row in rows)
    batch, buckets = paddle.zeros([len(rows), longest], dtype="int64"), {}
    for i, row in enumerate(rows):
        batch[i, : len(row)] = row
        buckets.setdefault(len(row) // 2, []).append(i)
    return batch, longest, sorted(range(len(rows)), key=lambda i: -len(rows[i])), list(buckets.items())


def test_a_stack_with_a_configuration(agree):
    agree(seeded(Stack), [ROWS], [X], [-X], [X * 3])


def test_a_mixin_before_it(agree):
    agree(seeded(ShiftedStack), [ROWS], [X], [-X], [X[:1]])


def test_attention_that_keeps_what_it_has_seen(agree):
    rows = [np.random.default_rng(i).standard_normal((1, 2, 8), dtype=np.float32) for i in range(3)]
    agree(seeded(Attention), [InputSpec([1, None, 8])], *([r] for r in rows))


def test_a_queue_of_keys(agree):
    agree(seeded(Queue), [ROWS], [X], [-X], [X[:1]])


def test_early_stopping(agree):
    agree(EarlyStopping, [VECTOR], [V], [-V], [V], [V])


def test_a_decoder_that_stops_early(agree):
    agree(seeded(Decoder), [ROWS, COUNT], [X, np.int64(3)], [X[:1], np.int64(0)], [-X, np.int64(6)])


def test_a_parser(agree):
    agree(lambda: parse, [VECTOR], [V], [-V])


def test_a_stack_machine(agree):
    agree(lambda: stack_machine, [VECTOR, COUNT], *([V, np.int64(n)] for n in (0, 3, -4, 2000)))


def test_a_padded_batch(agree):
    ids = [np.array(rows, np.int64) for rows in ([[1, 2, 0], [3, 0, 0]], [[0]], [[1, 1, 1, 1], [2, 2, 2, 0], [0, 0, 0, 0]])]
    agree(lambda: padded_batch, [InputSpec([None, None], "int64")], *([i] for i in ids))
