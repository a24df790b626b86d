"""A dict that becomes staged may hold a list, an item of that list, a number and a tensor: each under a key of its own.

Random functions make one, change it on paths and in loops, and read it. A static model, and the saved and loaded one, give what
plain Python gives: values, identities, order, exceptions, and what state holds afterwards.
"""

import importlib.util
import io
import random
import re
import sys
import textwrap
import warnings

import numpy as np
import pytest
from support.answers import answer
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError, JoinWarning
from dy2st.static import InputSpec
from staging.agreement import assert_agrees, plain

HEAD = """
import copy
import dy2st as paddle


class Holder:
    def __init__(self, d):
        self.d = d


def added(d, k):
    d["n"] = d["n"] + k
    return d


"""
MAKE = """rows = [[0, 1], [2]]
d = {"rows": rows, "first": rows[0], "n": 1, "t": SUM, 7: (rows[1], "a")}
"""
HERE = MAKE.replace("SUM", "x.sum()")
STEPWISE = """rows = [[0, 1], [2]]
d = {}
d["rows"] = rows
d["n"] = 1
d["first"] = rows[0]
d["t"] = x.sum()
d[7] = (rows[1], "a")
"""
OTHER = """if y > 2:
    d = {"n": 5, "first": [9], "rows": [[8]], 7: ([3], "b")}
"""
PLACES = (  # what __init__ does, and how forward gets at the dict
    ("", HERE),
    ("", STEPWISE),
    (MAKE.replace("SUM", "None") + "self.d = d", "d = self.d"),
    (MAKE.replace("SUM", "0.5") + "self.box = Holder(d)", "d = self.box.d"),
    ("", HERE + "held = [d]"),
    ("", HERE + OTHER),
)
ACTS = (
    'd["n"] = d["n"] + 1',
    'd["n"] += k',
    'd["first"].append(k)',
    'd["rows"].append([k])',
    'd["rows"] = [v[::-1] for v in d["rows"]]',
    'd["first"] = d["rows"][-1]',
    'd["rows"][0] = d["first"]',
    'd["rows"][0].append(4)',
    'd["new"] = {"in": k}',
    'd["new"] = k',
    'd["new"]["in"] = d["rows"]',
    'del d["n"]',
    'd["n"] = d.pop("n")',
    'd["t"] = d["t"] * 2 if d.get("t") is not None else x',
    'd.setdefault("extra", []).append(k)',
    'd.setdefault(True, k)',
    'd[1] = "one"',
    'd[None] = d["first"]',
    'd.update({"n": 3, "late": [k]})',
    'd = dict(d)',
    'd = {**d, "late": k}',
    'd = d | {"n": 7}',
    'd = copy.copy(d)',
    'd = added(d, k)',
    'd["first"], d["spare"] = [k], d["first"]',
    'd[7][0].append(k)',
    'd[("a", "b")[k % 2]] = k',
    'd["n"] = d.get("missing", k)',
    'd["self"] = len(d)',
    'd.popitem()',
    'for key in d:\n    out.append(key)',
    'for key in list(d):\n    if key == "n":\n        d[key] = 9',
    'for key, value in list(d.items()):\n    if key == "n":\n        k = k + value',
    'd.clear()',
)
WRAPS = (
    "{}",
    "if y > 1:\n{0}",
    "if y > 0:\n{0}\nelse:\n{1}",
    "for _ in range(n):\n{0}",
    "while k < 3:\n    k = k + 1\n{0}",
    "for v in x:\n    if v < 1:\n        continue\n{0}",
    "try:\n{0}\nexcept KeyError as e:\n    out.append(str(e))",
    "if y < 0:\n    return k, d",
)
TOLD = (
    "d",
    'd.get("n")',
    'list(d)',
    'd["first"] is d["rows"][0]',
    '"new" in d',
    'len(d)',
    'd == {"n": 2}',
    'd["first"]',
    'd["rows"]',
    'd.get(7)',
    '[key for key in d if key != "n"]',
    'd.get("new", 5)',
    'str(d.get("first"))',
)
REFUSED = re.compile(r"Raised\(kind='\w*(Conversion|EndlessType|StagedValue)Error'")
CALLS = [([1.0, 2.0], 1), ([-1.0, 0.5], 3), ([0.5, 0.0], 0), ([4.0, -1.0], 2)]


def _indented(text):
    return textwrap.indent(text, "    ")


def _statement(rng, depth=0):
    wrap = rng.choice(WRAPS)
    if wrap == "{}":
        return rng.choice(ACTS)
    inner = [
        _indented("\n".join(_statement(rng, depth + 1) if depth < 1 else rng.choice(ACTS) for _ in range(rng.randint(1, 2))))
        for _ in range(2)
    ]
    return wrap.format(*inner)


def source_of(seed):
    """A module with a random model."""
    rng = random.Random(seed)
    begins, starts = rng.choice(PLACES)
    statements = [_statement(rng) for _ in range(rng.randint(1, 3))]
    told = f"return out, k, {', '.join(rng.sample(TOLD, 4))}"
    forward = _method("forward(self, x, n)", ["y = x.sum()", "k = int(n)", "out = []", starts, *statements, told])
    return f"{HEAD}class Net(paddle.nn.Layer):\n{_method('__init__(self)', ['super().__init__()', begins])}{forward}"


def _method(head, statements):
    return _indented(f"def {head}:\n" + _indented("\n".join(statements))) + "\n\n"


def _module(seed, folder):
    path = folder / f"known_keys_{seed}.py"
    path.write_text(source_of(seed))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _told(net, call):
    """What a call gives, or its exception."""
    values, n = call
    return repr(answer(lambda: plain(net(paddle.to_tensor(np.array(values, np.float32)), paddle.to_tensor(n)))))


def _state(net):
    """What state holds, and which of the lists in it are one."""
    d = getattr(net, "d", None) or getattr(getattr(net, "box", None), "d", None)
    lists = [part for value in (d or {}).values() if isinstance(value, list) for part in (value, *value)]
    return repr(plain(d)), [[a is b for a in lists] for b in lists]


def _results(net, loaded=None):
    """What the calls give one after the other, each with the state that it leaves."""
    return [(_told(loaded or net, call), None if loaded else _state(net)) for call in CALLS]


def ends(seed, folder):
    """How a random model ends: "equal", "refused: ..." in words, "warned" where a JoinWarning tells why, or "different"."""
    module = _module(seed, folder)
    try:
        expected = _results(module.Net())
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", JoinWarning)
            static = paddle.jit.to_static(module.Net(), input_spec=[InputSpec([None]), InputSpec([], "int64")])
            found = _results(static)
            refusal = next((text for text, _ in found if REFUSED.match(text)), None)
            if refusal is not None:
                return f"refused: {refusal}"
            if all("Raised(" in text for text, _ in expected):
                return "equal" if found == expected else "different"
            loaded = _results(static, _reloaded(module.Net()))
    except ConversionError as error:
        return f"refused: {error}"
    finally:
        del sys.modules[module.__name__]
    if found == expected and [text for text, _ in loaded] == [text for text, _ in expected]:
        return "equal"
    return "warned" if any(each.category is JoinWarning for each in told) else "different"


def _reloaded(net):
    file = io.BytesIO()
    paddle.jit.save(net, file, input_spec=[InputSpec([None]), InputSpec([], "int64")])
    file.seek(0)
    return paddle.jit.load(file)


@pytest.mark.long
@pytest.mark.parametrize("seed", sampled(range(500), 8))
def test_a_dict_of_known_keys_is_as_in_plain_python(seed, tmp_path):
    assert ends(seed, tmp_path).partition(":")[0] in ("equal", "refused", "warned")


class Board(paddle.nn.Layer):
    """A list and an item of it, each under a key of its own, with a count beside them."""

    def __init__(self):
        super().__init__()
        self.rows = [[0, 1], [2]]
        self.index = {"rows": self.rows, "first": self.rows[0]}

    def forward(self, x, n):
        k = int(n)
        if x.sum() > k:
            self.index["first"].append(k)
            return k, len(self.rows)
        self.index["rows"].append([k])
        for row in self.index["rows"]:
            row[0] = k
        self.index["count"] = k
        return k, self.index, self.index["first"] is self.rows[0]


class Counted(paddle.nn.Layer):
    """A dict of which the user puts other kinds of values under the same keys."""

    def __init__(self):
        super().__init__()
        self.held = {"size": 1, "items": [1]}

    def forward(self, x):
        if x.sum() > 0:
            self.held["items"].append(2)
        return self.held["size"] * 2, self.held


def _agree(cls, inputs, between=lambda net: None):
    plain_net, static = cls(), paddle.jit.to_static(cls())
    for given in inputs:
        tensors = [paddle.to_tensor(value) for value in given]
        assert repr(plain(static(*tensors))) == repr(plain(plain_net(*tensors)))
        between(plain_net)
        between(static)
    return plain_net, static


def test_a_list_and_an_item_of_it_are_values_of_one_dict():
    """Each has its own type."""
    _, static = _agree(Board, [([1.0, 2.0], 1), ([1.0, 2.0], 7), ([-1.0], 7), ([9.0], 1)])
    assert static.index["first"] is static.rows[0] and static.index["rows"] is static.rows


@pytest.mark.parametrize("other", ["two", [3], None, {"a": 1}, 2.5])
def test_what_the_user_puts_under_a_key_is_found_there(other):
    """State has a type for each key: another kind of value, and another key, is staged for."""

    def change(net):
        net.held["items"], net.held[str(other)] = [other], 1
        if isinstance(other, str | list | float):
            net.held["size"] = other

    _agree(Counted, [([1.0],), ([2.0],), ([-1.0],)], change)


def test_keywords_of_several_kinds_are_converted_nowhere():
    """What `**more` hands on keeps a type for each name."""

    def step(x, scale=1, flag=False, **more):
        if flag:
            more["seen"] = x
        return x * scale, more

    def f(x, n):
        named = {"flag": True, "count": 1, "seen": None}
        for _ in range(n):
            x, more = step(x, **named)
            named = {"flag": x.sum() > 1, **more}
            named["count"] = named["count"] + 1
        return x, named["count"], named["seen"]

    with warnings.catch_warnings():
        warnings.simplefilter("error", JoinWarning)
        assert_agrees(f)


class Weighed(paddle.nn.Layer):
    """A dict of a tensor, a list, a number and a tuple, which changes as `change` says."""

    def __init__(self, change):
        super().__init__()
        self.w = self.create_parameter([2])
        self.w.set_value(paddle.to_tensor([1.5, -0.5]))
        self.change = change

    def forward(self, x, n):
        d = {"w": self.w * x, "rows": [x * 2, self.w], "n": 1, "t": (x, self.w)}
        d = self.change(self, d, x, n)
        return ((d["w"] * d["n"] + d["rows"][-1] + d["t"][1]) * x).sum()


def _on_a_path(net, d, x, n):
    if n > 1:
        d["w"] = d["w"] * 3
        d["extra"] = net.w * 2
    return d


def _in_a_loop(net, d, x, n):
    for _ in range(n):
        d["w"] = d["w"] * d["rows"][1]
        d["last"] = d["w"]
        d["n"] = d["n"] + 1
    return d


def _an_item_of_a_list(net, d, x, n):
    if n > 1:
        d["rows"].append(d["w"])
        d["first"] = d["rows"][0]
    d["w"] = d.get("first", x) + d.pop("w")
    return d


def _copied(net, d, x, n):
    for _ in range(n):
        e = dict(d)
        e["w"] = e.setdefault("s", net.w * 2) + e["t"][1]
        d = e
    return d


def _taken_out(net, d, x, n):
    if n > 1:
        d["new"] = {"in": net.w}
        d["w"] = d["new"]["in"] * 2
    else:
        del d["rows"]
        d["rows"] = [net.w]
    return d


@pytest.mark.parametrize("change", [_on_a_path, _in_a_loop, _an_item_of_a_list, _copied, _taken_out])
@pytest.mark.parametrize("n", range(4))
def test_gradients_go_through_it(change, n):
    found = []
    for net in (Weighed(change), paddle.jit.to_static(Weighed(change))):
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        loss = net(x, paddle.to_tensor(n))
        loss.backward()
        found.append([plain(loss), plain(net.w.grad), plain(x.grad)])
    assert found[0] == found[1]
