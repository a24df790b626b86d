"""What is read from outside changes between two calls: the next call gives what plain Python gives, however many went before.

Any of the changes may come with any of the reads. Those that share a word are the ones in which the change may matter.
"""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
from types import ModuleType

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st import jit
from dy2st.errors import Dy2stError

MODULE = '''
import types
import weakref
import dy2st as paddle
from dy2st import nn

SCALE, FLAG, WORD, PAIR, NOTHING = 2.5, True, "ab", (1, 2), None
LIST, DICT, NESTED = [1.0, 2.0], {"a": 1.0, "b": 2.0}, {"in": [1.0, [2.0]]}


class Config:
    size = 3

    def __init__(self, rate):
        self.rate, self.inner, self.names = rate, None, ["p", "q"]

    def twice(self):
        return self.rate * 2


class Slotted:
    __slots__ = ("rate",)

    def __init__(self, rate):
        self.rate = rate


class Asked:
    def __init__(self):
        self.rate = 5.0

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return len(name)


CONFIG, SLOTTED, ASKED, SPACE = Config(2.0), Slotted(3.0), Asked(), types.SimpleNamespace(rate=4.0)
CONFIG.inner = Config(7.0)
WEAK = weakref.ref(CONFIG)


def helper(x, k=2.0, *, more=1.0):
    return x * k + more


def made(factor):
    settings = Config(factor)

    def inner(x):
        return x * factor + settings.rate

    def change(value):
        nonlocal factor
        factor = value

    return inner, change, settings


INNER, CHANGE, SETTINGS = made(3.0)


class Net(nn.Layer):
    kind = 2

    def __init__(self):
        super().__init__()
        self.rate, self.on, self.word, self.sizes, self.nothing = 2.0, True, "w", [1.0, 2.0], None
        self.config, self.table = Config(6.0), {"k": Config(8.0)}
        self.config.inner = Config(9.0)
        self.part = nn.LayerList([nn.Linear(2, 2), nn.ReLU()])
        self.act, self.norm = nn.ReLU(), nn.LayerNorm(2)
        self.weight = self.create_parameter([2])
        self.register_buffer("held", paddle.ones([2]))

    def scaled(self, x):
        return x * 3

    def forward(self, x):
        return READ


net = Net()
'''

READS = [
    "x * SCALE", "x if FLAG else -x", "x * len(WORD)", "x * PAIR[1]", "x if NOTHING is None else x * NOTHING",
    "x * LIST[0] + len(LIST)", "x * DICT['a'] + len(DICT)", "x * NESTED['in'][1][0]", "x * sum(LIST)",
    "x * CONFIG.rate", "x * CONFIG.size", "x * CONFIG.inner.rate", "x * CONFIG.twice()", "x * len(CONFIG.names)",
    "x * Config.size", "x * SLOTTED.rate", "x * ASKED.rate + ASKED.other", "x * SPACE.rate", "x * WEAK().rate",
    "x * getattr(CONFIG, 'extra', 1.0)", "helper(x)", "INNER(x)", "x * SETTINGS.rate", "x * self.rate",
    "x if self.on else -x", "x * len(self.word)", "x * self.sizes[1]",
    "x if self.nothing is None else x * self.nothing", "x * self.config.rate", "x * self.config.inner.rate",
    "x * self.config.twice()", "x * self.table['k'].rate", "x * self.kind", "self.part[0](x)",
    "self.act(self.part[1](x))", "self.norm(x)", "x * self.weight", "x * self.held", "self.scaled(x)",
    "x * (2 if self.training else 3)", "x * getattr(self, 'late', 1.0)", "paddle.nn.functional.relu(x)",
    "x * len(self.part)", "x * paddle.to_tensor(2.0 if paddle.get_default_dtype() == 'float32' else 3.0, 'float32')",
]  # fmt: skip

CHANGES = [
    "SCALE = 4.5", "FLAG = False", "WORD = 'abc'", "PAIR = (1, 5)", "NOTHING = 3.0", "LIST = [7.0]", "LIST[0] = 9.0",
    "LIST.append(3.0)", "LIST[:] = LIST[::-1]", "DICT['a'] = 5.0", "DICT['c'] = 5.0", "del DICT['b']",
    "NESTED['in'][1][0] = 8.0", "DICT = dict(DICT)", "CONFIG.rate = 5.0",
    "CONFIG = Config(2.0); CONFIG.inner = Config(4.0)", "Config.size = 9", "CONFIG.size = 8", "CONFIG.inner.rate = 1.0",
    "CONFIG.inner = Config(1.5)", "Config.twice = lambda self: self.rate * 5", "CONFIG.names.append('r')",
    "CONFIG.twice = lambda: 6.0", "CONFIG.extra = 4.0", "CONFIG.__class__ = type('Other', (Config,), {'size': 11})",
    "SLOTTED.rate = 6.0", "ASKED.rate = 6.0", "ASKED.other = 1.0",
    "Asked.__getattr__ = lambda self, name: 2 * len(name)", "SPACE.rate = 5.0", "helper.__defaults__ = (5.0,)",
    "helper.__kwdefaults__ = {'more': 4.0}", "helper.__code__ = (lambda x, k, *, more: x * 9).__code__",
    "helper = lambda x: x * 6", "CHANGE(8.0)", "SETTINGS.rate = 8.0",
    "INNER, CHANGE, SETTINGS = made(3.0); CHANGE(1.0)", "net.rate = 5.0", "net.on = False", "net.word = 'word'",
    "net.sizes = [1.0, 6.0]", "net.sizes[1] = 6.0", "net.nothing = 4.0", "net.config.rate = 2.0",
    "net.config = Config(1.0); net.config.inner = Config(2.0)", "net.config.inner.rate = 1.0",
    "net.config.inner = Config(0.5)", "net.table['k'].rate = 1.0", "net.table['k'] = Config(1.0)",
    "net.table = {'k': Config(3.0)}", "Net.kind = 7", "net.kind = 8", "net.act = nn.Sigmoid()",
    "net.part[1] = nn.Tanh()", "net.part.append(nn.ReLU())",
    "net.part[0] = nn.Linear(2, 2); net.part[0].weight.set_value(paddle.ones([2, 2]))",
    "net.act.forward = lambda x: x * 4", "net.part[0].weight.set_value(paddle.ones([2, 2]))",
    "net.weight = net.create_parameter([2]); net.weight.set_value(paddle.ones([2]))",
    "net.weight.set_value(paddle.full([2], 3.0))", "net.held = paddle.full([2], 4.0)",
    "net.held.set_value(paddle.full([2], 4.0))", "net.held = None", "net.rate = paddle.to_tensor(5.0)",
    "net.word = paddle.ones([5])", "net.act = paddle.nn.Sequential(nn.Sigmoid())",
    "net.register_buffer('late', paddle.full([2], 5.0))", "net.late = 6.0", "net.late = paddle.full([2], 7.0)",
    "del net.rate", "del net.held", "del net.act", "net.eval()", "net.train()", "net.norm.eval(); net.training = False",
    "Net.scaled = lambda self, x: x * 8", "net.scaled = lambda x: x * 9",
    "net.__class__ = type('Other', (Net,), {'kind': 5, 'scaled': lambda self, x: x})",
    "net.act.register_forward_post_hook(lambda layer, inputs, result: result * 2)", "nn.ReLU.calls = 3", "del SCALE",
    "x = 1", "paddle.set_default_dtype('float64')", "net.norm.weight.set_value(paddle.full([2], 2.0))",
    "setattr(net, 'rate', 2.0)", "SCALE = 2.5", "vars(net)['rate'] = 5.0", "vars(net)['on'] = False",
    "net.__dict__['word'] = 'word'", "del vars(net)['rate']", "vars(net)['kind'] = 9", "vars(net).update(nothing=4.0)",
    "vars(net)['late'] = 6.0", "vars(net)['scaled'] = lambda x: x * 9", "vars(net)['config'] = Config(3.0)",
    "vars(net)['sizes'] = [1.0, 6.0]", "vars(net)['training'] = False", "vars(net)['act'] = nn.Sigmoid()",
    "object.__setattr__(net, 'rate', 5.0)", "vars(net.config)['rate'] = 3.0",
]  # fmt: skip


def fresh(read: str, name: str, tmp_path) -> ModuleType:
    file = tmp_path / f"{name}.py"
    file.write_text(MODULE.replace("READ", read), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    paddle.seed(3)
    spec.loader.exec_module(module)
    return module


def said(net, x):
    """What a call gives, or the class of what it raises."""
    try:
        return net(x).numpy().tolist()
    except Dy2stError:
        raise
    except Exception as error:
        return type(error)


def done(change: str, module: ModuleType):
    """What a change does to a module: None, or the class of what it raises."""
    try:
        exec(change, vars(module))
    except Exception as error:
        return type(error)
    return None


def words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z]\w+", text)) - {"net", "self", "paddle", "nn", "lambda"}


RELATED = [pair for pair in itertools.product(READS, CHANGES) if not words(pair[0]).isdisjoint(words(pair[1]))]
OTHERS = [pair for pair in itertools.product(READS, CHANGES) if pair not in RELATED]
CASES = [(*pair, 3) for pair in sampled(RELATED, 36)]  # a second call is written, a third one runs what was written
CASES += [(*pair, 1) for pair in sampled(RELATED, 9)] + [(*pair, 2) for pair in sampled(OTHERS[::7], 9)]


@pytest.fixture(autouse=True)
def the_default_dtype_comes_back():
    yield
    paddle.set_default_dtype("float32")


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("read, change, calls", CASES)
def test_the_next_call_is_that_of_plain_python(read, change, calls, tmp_path):
    plain, static = fresh(read, "plain_module", tmp_path), fresh(read, "static_module", tmp_path)
    jit.to_static(static.net)
    x = paddle.to_tensor([1.0, -2.0])
    for _ in range(calls):
        assert said(static.net, x) == said(plain.net, x)
    assert done(change, static) == done(change, plain)
    assert said(static.net, x) == said(plain.net, x)
    assert said(static.net, x) == said(plain.net, x)
