"""Loops over a known range whose turns are recorded once: as in plain Python, bit by bit, and what is known stays known."""

from __future__ import annotations

import importlib.util
import random
from textwrap import indent

import pytest
from support.sampling import case_in_failure, random_functions

import dy2st as paddle
from dy2st.config import limits
from dy2st.runtime.convert.iteration import loops

HEAD = """
import itertools
from collections import deque
import dy2st as paddle

GLOBAL = 0

class Box:
    kept = 0
    def __init__(self, a):
        self.a, self.n, self.items = a, 0, []

def step(h, x):
    return paddle.tanh(h + x)

def f(x):
    global GLOBAL
    GLOBAL, Box.kept = 0, 0
    counter, rows, queue, keys, functions = itertools.count(), iter(list(x) * 3), deque([x[0]], 3), set(), []
    h, c, s, k, p, q = x[0], x[1], "", 0, x[2], x[3]
    outs, pairs, names, box, d, t, i = [], [], [], Box(x[0]), {"h": x[0]}, (x[0], 0), -1
    LOOP
    return (
        h, c, s, k, p, q, len(outs), outs, pairs, names, box.a, box.n, box.items, list(d), list(d.values()), t, i, len(h.shape),
        GLOBAL, Box.kept, next(counter), next(rows), list(queue), len(keys), [g() for g in functions],
    )
"""
STATEMENTS = """
h = step(h, x[i % 4])
h = h * 0.5 + c
h, c = c, h
h = h + i
h = h * (i / 7)
h = h + k
c = c + x[i % 3] * i
c = paddle.concat([c[1:], h[:1]])
c = x[: i % 3 + 1].sum(0)
p, q = q, p
p = h
q = p
q = p + 1
k = i
k = k + 1
k = i * 2 - 1
k += len(outs)
s = s + "a"
s = str(i)
t = (h, i)
t = (h, t[1])
t = (t[0] + h, 3)
outs.append(h)
outs.append(h + c)
outs.append(p)
outs.append(x)
outs.append(x[0])
outs.append(i)
outs.append(c.sum())
outs.append(int(c.sum() * 0))
outs.append(c[0] > 1)
outs.extend([h, c])
outs = outs + [h]
outs[-1:] = [c]
h = h + len(outs)
h = outs[-1] + h if outs else h
pairs.append((h, c))
pairs.append([h])
names.append(str(i))
box.a = h
box.a = box.a + c
box.n = i
box.n = box.n + 1
box.n = k
box.items.append(c)
box.items = box.items + [c]
box = Box(h)
d["h"] = h
d["h"] = d["h"] + c
d[i] = h
d["i"] = i
pair = [h, c]; h = pair[0] + pair[1]
u = h * 2; h = u - 1
w = h if i > 2 else c
h = h if h.sum() > 0 else c
if i % 2: h = h + 1
if i == 6: c = c * 2
if c.sum() > 0: c = c - 1
if c.sum() > 0: outs.append(c)
if h.sum() > 1: k = k + 1
while c.sum() < 1: c = c + 1
for j in range(3): h = h + j
for j in range(7): c = c * 0.5 + j
for j in range(i % 3): h = h + j
h = h + sum([v.sum() for v in outs[:2]])
g = lambda z: z + h; c = g(c)
h = [step(h, c) for _ in range(2)][-1]
if i == 3: continue
if c.sum() > 4: continue
if i == 8: break
if c.sum() > 9: break
h = h * next(counter)
h = h + next(rows)
GLOBAL += 1
GLOBAL = i
Box.kept += 1
h = h + Box.kept
queue.append(h)
h = h + queue[0]
queue.rotate(1)
keys.add(i)
keys.add(i % 3)
h = h + len(keys)
functions.append(lambda: h)
functions.append(lambda i=i: i)
last = outs.pop() if outs else h; h = h + last
outs.insert(0, h)
outs.reverse()
names.append("a")
h = h + paddle.full([3], i)
h = h[: 3 - i // 9]
h = paddle.where(h > 0, h, c)
c[0] = h[1]
h += c
h.add_(c)
c = c.clone().detach()
h = h + (1 if "h" in d else 2)
h = h + (2 if len(outs) > 4 else 3)
h = h + float(k)
h = h * (i is not None)
h = h + (isinstance(k, int) + isinstance(p, paddle.Tensor))
match i: / case 4: h = h + 5 / case _: h = h - 1
with paddle.no_grad(): h = h * 2
try: h = h + 1 / finally: c = c + 1
""".strip().split("\n")
RANGES = ["range(9)", "range(2, 12)", "range(20, 0, -2)", "range(len(x) + 4)", "x", "range(5)", "enumerate(x)"]


LEAVES = ["if c.sum() > 4: break", "if h.sum() + i > 6: break", "if (h * c).sum() < -1: break"]


def source(seed, leaves=()):
    """A function with a loop of a few statements, one of `leaves` among them."""
    draw = random.Random(seed)
    drawn = draw.sample(STATEMENTS, draw.randint(1, 5))
    if leaves:
        drawn.insert(draw.randint(0, len(drawn)), draw.choice(leaves))
    lines = [line.replace(" / case", "\n    case").replace(" / finally", "\nfinally") for line in drawn]
    iterated = draw.choice(RANGES)
    head = {"x": "for row in x:\n    i = 2", "enumerate(x)": "for i, row in enumerate(x):"}.get(iterated, f"for i in {iterated}:")
    loop = f"{head}\n{indent(chr(10).join(lines), '    ')}"
    return HEAD.replace("    LOOP", indent(loop, "    "))


def told(value):
    """What is compared: of tensors, the bits."""
    if isinstance(value, paddle.Tensor):
        return "tensor", str(value.dtype), value.numpy().tobytes(), value.shape
    if isinstance(value, list | tuple):
        return type(value).__name__, [*map(told, value)]
    return type(value).__name__, value


def answers(function, inputs):
    """What calls give, and leave in what they were given; the class of what one raises, which may be a refusal."""
    inputs = [x.clone() for x in inputs]
    try:
        return [told(function(x)) for x in inputs], told(inputs)
    except Exception as error:
        return type(error).__name__


def as_numbers(value):
    """Without the difference between a Python number and the tensor in which a Program gives one."""
    if isinstance(value, paddle.Tensor):
        return value.numpy().tobytes() if value.ndim else value.item()
    return [*map(as_numbers, value)] if isinstance(value, list | tuple) else value


def converted(module, operations, monkeypatch):
    monkeypatch.setattr(limits, "roll_operations", operations)
    return paddle.jit.to_static(module.f)


LEFT = """
import numpy as np

import dy2st as paddle

def f(x):
    for i in range(12):
        BODY
        x = ((x + 1) * 2 - 1) / 2
        if x.sum() > 100:
            break
    return x, i
"""


def load(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@random_functions(4000, 20)
def test_rolled_unrolled_and_plain_agree(seeds, tmp_path, monkeypatch):
    paddle.seed(1)
    inputs = [paddle.randn([9, 3]) * k for k in (1, 0, -2)]
    for seed in seeds:
        file = tmp_path / f"loop_{seed}.py"
        file.write_text(source(seed))
        with case_in_failure(f"{seed}: {file.read_text()}"):
            module = load(file)
            rolled = answers(converted(module, 1, monkeypatch), inputs)
            assert rolled == answers(converted(module, 10**9, monkeypatch), inputs)
            if not isinstance(rolled, str):
                static = converted(module, 1, monkeypatch)
                assert [as_numbers(static(x.clone())) for x in inputs] == [as_numbers(module.f(x.clone())) for x in inputs]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@random_functions(2000, 20)
def test_long_loops_that_only_the_program_leaves_are_loops_of_it(seeds, tmp_path, monkeypatch):
    """With a low limit for them alone; those whose index has to be known are recorded turn by turn all the same."""
    limit = loops._Driver._limit

    def short(driver, is_left=False):
        return 4 if limit(driver, is_left) < limit(driver) else limit(driver)

    monkeypatch.setattr(loops._Driver, "_limit", short)
    paddle.seed(1)
    inputs = [paddle.randn([9, 3]) * k for k in (1, 0, -2)]
    for seed in seeds:
        file = tmp_path / f"left_{seed}.py"
        file.write_text(source(seed, LEAVES))
        with case_in_failure(f"{seed}: {file.read_text()}"):
            module = load(file)
            static = paddle.jit.to_static(module.f)
            if not isinstance(answers(static, inputs), str):
                assert [as_numbers(static(x.clone())) for x in inputs] == [as_numbers(module.f(x.clone())) for x in inputs]


@pytest.mark.parametrize(
    "body, is_rolled",
    [("x = x + i", True), ("x = x + paddle.ones([i + 1]).sum()", True), ("x = x + float(np.ones(i + 1).sum())", False)],
)
def test_a_loop_that_is_left_is_recorded_once_unless_its_index_has_to_be_known(body, is_rolled, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "unroll_operations", 2000)
    file = tmp_path / "left.py"
    file.write_text(LEFT.replace("BODY", body))
    function = load(file).f
    static = paddle.jit.to_static(function, input_spec=[paddle.static.InputSpec([2], "float32", "x")])
    assert ("while" in {op.name for op in static.concrete_program.program.walk()}) == is_rolled
    for number in (0.0, 30.0, 900.0):
        x = paddle.full([2], number)
        assert told(static(x)[0]) == told(function(x)[0]) and int(static(x)[1]) == function(x)[1]
