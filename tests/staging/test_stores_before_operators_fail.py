"""A grid: what is stored before an operator fails (by lengths, an index, a `raise`) is stored, wherever it is kept."""

from __future__ import annotations

import io
import itertools
import linecache
import sys
import types

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import NUMBER, VECTOR, outcome, plain

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")  # that a path fails whatever the inputs are

HEAD = """
import dy2st as paddle
import sys
THIS = sys.modules[__name__]
COUNT, LISTED, NAMED = 0, [0], {"a": 0}
W = paddle.to_tensor([1.0, 2.0])

class Kept:
    made = 0

class Held:
    def __init__(self):
        self.at = 0

HELD = Held()

def fails(x):
    return x + W
"""
# How a place is stored to (`@` is a number), what declares it, and how it is read.
PLACES = {
    "global": ("COUNT = COUNT + @", "global COUNT", "COUNT"),
    "nonlocal": ("outer = outer + @", "nonlocal outer", "outer"),
    "attribute of self": ("self.count = self.count + @", "", "self.count"),
    "attribute of a global": ("HELD.at = HELD.at + @", "", "HELD.at"),
    "class attribute": ("Kept.made = Kept.made + @", "", "Kept.made"),
    "module attribute": ("THIS.COUNT = THIS.COUNT + @", "", "COUNT"),
    "item of a list": ("LISTED[0] = LISTED[0] + @", "", "LISTED[0]"),
    "longer list": ("LISTED.append(@)", "", "len(LISTED)"),
    "item of a dict": ("NAMED['a'] = NAMED['a'] + @", "", "NAMED['a']"),
    "buffer": ("self.total.add_(paddle.full([1], @))", "", "self.total"),
    "replaced buffer": ("self.total = self.total + @", "", "self.total"),
}
FAILURES = {
    "shapes": "$1; y = x + W; $10",
    "shapes, unused": "$1; x + W; y = x; $10",
    "reshaped": "$1; y = x.reshape([2, -1]).reshape([-1]); $10",
    "reshaped by a number": "$1; y = x.reshape([n + 1, -1]).reshape([-1]); $10",
    "index": "$1; y = x[n]; $10",
    "raise": "$1\nif n > 1:\n    $100\n    raise ValueError('n')\n$10; y = x",
    "raise by the values": "$1\nif x.sum() > 1:\n    $100\n    raise ValueError('n')\n$10; y = x",
    "assert": "$1; assert n < 3; $10; y = x",
    "callee": "$1; y = fails(x); $10",
    "branch": "if n > 1:\n    $1; y = x + W; $10\nelse:\n    $100; y = x",
    "after a branch": "if n > 1:\n    $1\nelse:\n    $100\ny = x + W; $10",
    "unused in a branch": "y = x\nif n > 1:\n    $1; x + W",
    "loop": "y = x\nfor i in range(3):\n    $1\n    y = y + x[: n + i]",
    "staged loop": "y, i = x, 0\nwhile i < n:\n    $1; i = i + 1; y = y + W\n    $10",
    "before a loop": "y = x; $1\nfor i in range(n):\n    y = y + W; $10",
    "caught": "try:\n    $1; y = x + W; $10\nexcept ValueError:\n    $100; y = x",
    "not caught": "try:\n    $1; y = x + W; $10\nexcept KeyError:\n    $100; y = x",
    "finally": "try:\n    $1; y = x + W; $10\nfinally:\n    $100",
    "caught in a loop": "y = x\nfor i in range(n):\n    try:\n        $1; y = y + W\n    except ValueError:\n        $10",
    "caught by the caller": "def inner(x):\n    ~\n    $1; y = x + W; $10\n    return y\n"
    "try:\n    y = inner(x)\nexcept ValueError:\n    y = x",
    "certain": "$1; y = paddle.ones([3]) + W; $10",
    "certain after an index": "$1; y = x[n]; $10; raise KeyError('late')",
}  # fmt: skip
SEQUENCES = [
    [(2, 0), (3, 5), (2, 1), (1, 3), (5, 2), (2, 0)],
    [(3, 5), (3, 1), (2, 1), (4, 2)],
    [(1, 1), (6, 4), (2, 3)],
]


def text_of(place: str, failure: str) -> str:
    """A module with the function that stores and fails, as the method of a Layer."""
    store, declared, read = PLACES[place]
    lines = FAILURES[failure].replace("~", "nonlocal outer" if place == "nonlocal" else declared or "pass").split("\n")
    for number in ("100", "10", "1"):
        lines = [line.replace(f"${number}", store.replace("@", number)) for line in lines]
    body = "\n".join(f"            {line}" for line in [declared or "pass", *lines, f"return y, {read}"])
    return f"""{HEAD}
def make():
    outer = 0
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.count = 0
            self.register_buffer("total", paddle.zeros([1]))

        def forward(self, x, n):
{body}
    return Net(), lambda: outer
"""


def module_of(name: str, text: str) -> types.ModuleType:
    module = types.ModuleType(name)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    sys.modules[name] = module
    exec(compile(text, name, "exec"), vars(module))
    return module


def state(module: types.ModuleType, net: paddle.nn.Layer, outer) -> list:
    kept = [module.COUNT, module.LISTED, module.NAMED, module.Kept.made, module.HELD.at, outer(), net.count, net.total]
    return [plain(value) for value in kept]


def answers(name: str, text: str, static, calls: list) -> list:
    """What each call gives or raises, and what it leaves in every place."""
    module = module_of(name, text)
    try:
        net, outer = module.make()
        call = net if static is None else static(net)
        found = []
        for length, n in calls:
            x = np.arange(length, dtype=np.float32)
            found.append((outcome(call, (x, np.int64(n))), state(module, net, outer)))
        return found
    finally:
        sys.modules.pop(name)
        linecache.cache.pop(name)


def saved_and_loaded(net: paddle.nn.Layer):
    file = io.BytesIO()
    paddle.jit.save(paddle.jit.to_static(net, input_spec=[VECTOR, NUMBER]), file)
    file.seek(0)
    return paddle.jit.load(file)


FORMS = {
    "given specs": lambda net: paddle.jit.to_static(net, input_spec=[VECTOR, NUMBER]),
    "found specs": paddle.jit.to_static,
    "loaded": saved_and_loaded,
}
GRID = [(p, f, form, k) for p, f, form in itertools.product(PLACES, FAILURES, FORMS) for k in range(len(SEQUENCES))]


@pytest.mark.long
@pytest.mark.parametrize("place, failure, form, sequence", sampled(GRID, 18))
def test_what_is_stored_before_a_failure_is_what_plain_python_stores(place, failure, form, sequence):
    check(place, failure, form, sequence)


@pytest.mark.parametrize("failure", ["shapes", "reshaped", "caught", "certain"])
def test_a_global_is_stored_before_an_operator_fails(failure):
    check("global", failure, "given specs", 0)


def check(place: str, failure: str, form: str, sequence: int) -> None:
    name, text, calls = f"<{place}, {failure}>", text_of(place, failure), SEQUENCES[sequence]
    expected = answers(name, text, None, calls)
    try:
        found = answers(name, text, FORMS[form], calls)
    except ConversionError as error:
        pytest.skip(f"refused: {error}")
    if form == "loaded":  # whose state is its own: it comes out with the results
        found, expected = ([result for result, _ in each] for each in (found, expected))
    assert repr(found) == repr(expected), text
