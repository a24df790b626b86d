"""Partials and closures that outlive the call that makes them: what they are made of, where they are kept, on which path.

Each program of the grid keeps one, calls what the last call has kept, and is compared with plain Python call by call, with all
that the model holds afterwards; and the same as a saved and loaded model.
"""

from __future__ import annotations

import copy
import functools
import importlib.util
import itertools
import sys
import textwrap

import pytest
from support.answers import answer
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

SPEC = [InputSpec([None], "float32", "x"), InputSpec([], "int64", "n")]
CALLS = [([1.0, 2.0], 1), ([0.0, 0.5], 2), ([1.0, 2.0], 3), ([1.0, 2.0], 0), ([-2.0], 2)]

HEAD = """
from functools import partial
import dy2st as paddle

def blend(a, b, *more, scale=1):
    return (a + b + sum(more)) * scale

def adder(by):
    def add(value):
        return value + by
    return add

def compose(f, g):
    return lambda v: f(g(v))

class Box:
    def __init__(self, held):
        self.held = held

class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.kept, self.items, self.table, self.box, self.size = adder(3), [partial(blend, 1)], {"a": adder(2)}, Box(adder(1)), 0

    def grow(self, by):
        self.size = self.size + by
        return self.size

    def forward(self, x, n):
        k, y = int(n), x.sum()
"""

MADE = {  # of `k`, a number, and `y`, a tensor
    "a partial": "partial(blend, k)",
    "keywords": "partial(blend, k, scale=2)",
    "a partial of a partial": "partial(partial(blend, k, scale=3), 1, scale=k)",
    "a closure": "adder(k)",
    "a closure of a tensor": "adder(y)",
    "a default": "lambda v, by=k: v * by",
    "a keyword default": "lambda v, *, by=k, to=y: v * by + to",
    "a closure of closures": "compose(adder(k), partial(blend, 2))",
    "a partial of a closure": "partial(compose, adder(k), adder(1))()",
    "a partial of a lambda": "partial(lambda v, w: v - w, k)",
    "a partial of a method": "partial(lambda net, v: net.grow(1) + v + k, self)",
    "a constant": "adder(1)",
    "a closure of a list": "(lambda held: lambda v: v + len(held) + held[0])([k, 2])",
}
PLACES = {  # where it is kept, and what is called
    "an attribute": ("self.kept = {}", "self.kept"),
    "a list": ("self.items.append({})", "self.items[-1]"),
    "a dict": ('self.table["a"] = {}', 'self.table["a"]'),
    "an object": ("self.box.held = {}", "self.box.held"),
    "a new object": ("self.box = Box({})", "self.box.held"),
    "the result": ("found = {}", "found"),
}
PATHS = {
    "always": "{0}",
    "one branch": "if y > 0:\n    {0}",
    "both branches": "if y > 0:\n    {0}\nelse:\n    {1}",
    "a loop": "for i in range(n):\n    k = k + i\n    {0}",
    "a branch in a loop": "for row in x:\n    if row > 0.75:\n        {0}\n    else:\n        {1}",
}


def program(made: str, place: str, path: str) -> str:
    """A model that calls what it has kept, keeps another, and calls that."""
    store, load = PLACES[place]
    # `k` is stored again by the loops: what uses it is made by a function of its own.
    first, second = (store.format(f"self.made(k, y, {which})") for which in (0, 1))
    body = ["found = adder(5)", f"y = y + {load}(2)", *PATHS[path].format(first, second).split("\n"), f"y = y + {load}(1)"]
    body.append("return y, found, self.kept" if place == "the result" else "return y")
    other = "partial(blend, 7)" if made != "a partial" else "adder(7)"
    maker = f"\n    def made(self, k, y, which):\n        return ({MADE[made]}) if which == 0 else {other}\n"
    return HEAD + textwrap.indent("\n".join(body), " " * 8) + "\n" + maker


def told(value):
    """A value in Python's own, functions by what they give."""
    if isinstance(value, functools.partial):
        return "partial", value.func.__name__, told(value.args), told(value.keywords)
    if isinstance(value, paddle.nn.Layer):
        return "a model"
    if callable(value) and not isinstance(value, paddle.Tensor):
        return value.__name__, value.__qualname__, told(value(3))
    if isinstance(value, (list, tuple)):
        return list(map(told, value))
    if isinstance(value, dict):
        return {key: told(part) for key, part in value.items()}
    if isinstance(value, paddle.Tensor):
        return value.numpy().tolist()
    return told(vars(value)) if hasattr(value, "__dict__") else value


def loaded_module(source: str, folder):
    """The module of a source in a file."""
    path = folder / "a_program.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("a_program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answers(net, owner=None):
    """What each call gives, and what the model holds afterwards."""
    found = []
    for x, n in CALLS:
        result = told(net(paddle.to_tensor(x), paddle.to_tensor(n)))
        names = () if owner is None else ("kept", "items", "table", "box", "size")
        found.append((result, [told(getattr(owner, name)) for name in names]))
    return found


GRID = list(itertools.product(MADE, PLACES, PATHS))


@pytest.mark.long
@pytest.mark.parametrize("made, place, path", sampled(GRID, 6), ids=str)
def test_what_is_kept_goes_on_as_in_plain_python(made, place, path, tmp_path):
    module = loaded_module(program(made, place, path), tmp_path)
    plain, net = module.Net(), module.Net()
    expected = answers(plain, plain)
    assert answers(paddle.jit.to_static(net), net) == expected
    saved = paddle.jit.to_static(module.Net(), input_spec=SPEC)
    if place == "the result":
        with pytest.raises(ConversionError, match="the result (holds a function|may be the Python object)"):
            paddle.jit.save(saved, tmp_path / "net")
        return
    paddle.jit.save(saved, tmp_path / "net")
    assert [result for result, _ in answers(paddle.jit.load(tmp_path / "net"))] == [result for result, _ in expected]


class Base(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.f, self.p, self.items, self.table, self.out = adder(3), functools.partial(blend, 1), [], {}, None


def blend(a, b, *more, scale=1):
    return (a + b + sum(more)) * scale


def adder(by):
    """Adds a number."""

    def add(value):
        """Add it."""
        return value + by

    return add


def counting(count):
    def tick(by=1):
        nonlocal count
        count += by
        return count

    return tick


class Identity(Base):
    def forward(self, x, n):
        f, g = adder(int(n)), adder(int(n))
        self.items += [f, g]
        found = f in self.items, self.items.index(g)
        self.items.remove(f)
        return *found, self.items[-1] is g, self.items[-1] == g, self.items[-1] == f, self.items[-1] is f, len(self.items)


class IdentityOnAPath(Base):
    def forward(self, x, n):
        f = adder(int(n))
        self.items.append(f if x.sum() > 1 else adder(2))
        is_same = self.items[-1] is f
        if f in self.items:
            self.items.remove(f)
        return is_same, len(self.items)


class IdentityOfOthers(Base):
    def __init__(self):
        super().__init__()
        self.own = adder(4)
        self.items = [adder(1), self.own, adder(4)]

    def forward(self, x, n):
        index = self.items.index(self.own) if self.own in self.items else -1
        if n > 2:
            self.items.append(adder(int(n)))
            self.f = self.own
        elif n == 0:
            self.items.remove(self.own)
            self.f = adder(2)
        is_own = self.items[1] is self.own, self.items[0] is self.own, self.f is self.own, self.f == self.own
        return index, *is_own, len(self.items), self.f(3)


class TwoPlaces(Base):
    def forward(self, x, n):
        if self.out is None:
            self.out = self.f = adder(int(n))
        elif n > 2:
            self.f = adder(int(n))
        self.table["f"] = self.f
        return self.f is self.out, self.table["f"] is self.f


class SharedList(Base):
    def __init__(self):
        super().__init__()
        self.log = log = []
        self.note = lambda v: log.append(v) or len(log)

    def forward(self, x, n):
        size = self.note(int(n))
        self.log.append(3)
        if n > 2:
            self.note = adder(size)
        return size, self.note(7), list(self.log)


class ListOfTheCall(Base):
    def forward(self, x, n):
        log = [int(n)]

        def note(v):
            log.append(v)
            return len(log)

        self.f = note
        note(1)
        log.append(7)
        return self.f(2), log


class Attributes(Base):
    def forward(self, x, n):
        if x.sum() > 1:
            self.f, self.p = adder(int(n)), functools.partial(blend, int(n), 2, scale=3)
        f, p = self.f, self.p
        of_partial = p.args, p.keywords, p.func is blend, hasattr(p, "func"), isinstance(p, functools.partial), callable(p)
        of_function = f.__name__, f.__qualname__, f.__doc__, f.__module__, hasattr(f, "func"), type(f).__name__, callable(f)
        return of_partial, of_function


class Copies(Base):
    def forward(self, x, n):
        if x.sum() > 1:
            self.p, self.f = functools.partial(blend, int(n)), adder(int(n))
        return copy.copy(self.p)(1), copy.copy(self.f)(1), copy.deepcopy(self.f)(2), copy.deepcopy({"p": self.p})["p"](2)


class HandedOn(Base):
    def forward(self, x, n):
        if x.sum() > 1:
            self.f = adder(int(n))
        by_key = sorted([3, 1, 2], key=functools.partial(blend, int(n), scale=-1)), max([3, 1], key=self.f)
        return list(map(self.f, [3, 1])), *by_key


class Loop(Base):
    def forward(self, x, n):
        made = []
        for i in range(int(n)):
            made.append(lambda v, i=i: v * 2 + i)
        self.items, total = made, 1
        for f in made:
            total = f(total)
        return total


class OneLine(Base):
    def forward(self, x, n):
        by = int(n)
        self.table = {"a": lambda v: v + by, "b": lambda v: v * by}
        return self.table["a" if x.sum() > 1 else "b"](3)


class Many(Base):
    def __init__(self):
        super().__init__()
        self.items = [adder(i) for i in range(40)]

    def forward(self, x, n):
        self.items.append(adder(int(n)))
        total = x.sum()
        for f in self.items:
            total = f(total)
        return total


class ThenRaises(Base):
    def forward(self, x, n):
        self.out = adder(int(n)), functools.partial(blend, x.sum())
        if n > 2:
            raise ValueError("too many")
        return self.out[0](self.out[1](2))


MODELS = [Identity, IdentityOnAPath, IdentityOfOthers, TwoPlaces, SharedList, ListOfTheCall, Attributes, Copies, HandedOn, Loop]
MODELS += [OneLine, Many, ThenRaises]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_as_in_plain_python(model):
    def calls(net):
        for x, n in CALLS:
            yield answer(lambda: told(net(paddle.to_tensor(x), paddle.to_tensor(n))))  # noqa: B023 - it is called at once

    if model is OneLine and sys.version_info < (3, 11):
        pytest.skip("Python 3.10 doesn't tell the columns of code")
    assert list(calls(paddle.jit.to_static(model()))) == list(calls(model()))


def test_gradients_flow_through_what_closures_hold():
    class Net(Base):
        def forward(self, x, n):
            f = adder(x * 2) if x.sum() > 1 else adder(x * x)
            self.f = f
            return self.f(f(x)).sum()

    def gradients(net):
        found = []
        for value, n in CALLS:
            x = paddle.to_tensor(value, stop_gradient=False)
            net(x, paddle.to_tensor(n)).backward()
            found.append((x.grad.numpy().tolist(), told(net.f)))
        return found

    assert gradients(paddle.jit.to_static(Net())) == gradients(Net())


class Counter(Base):
    def forward(self, x, n):
        self.f = counting(int(n))
        return self.f()


class StoredLater(Base):
    def forward(self, x, n):
        by = int(n)
        self.f = lambda v: v + by
        by = by + 5
        return self.f(1) + by


class OfALoop(Base):
    def forward(self, x, n):
        self.items = []
        for i in range(n):
            self.items.append(lambda v: v + i)
        return x


class CallsItself(Base):
    def forward(self, x, n):
        def down(v):
            return v if v <= 0 else down(v - 1) + n

        self.f = down
        return self.f(3)


class AttributeLater(Base):
    def forward(self, x, n):
        f = adder(int(n))
        self.f = f
        f.calls = 1
        return self.f(1)


class AttributeOfKept(Base):
    def forward(self, x, n):
        if n > 1:
            self.f = adder(int(n))
        self.f.calls = 1
        return x


class GrowsInALoop(Base):
    def forward(self, x, n):
        p = functools.partial(blend)
        for i in range(n):
            p = functools.partial(p, i)
        return p(1, 2)


class Text(Base):
    def forward(self, x, n):
        if x.sum() > 1:
            self.p = functools.partial(max, int(n))
        return f"{self.p}"


class OfAnother(paddle.nn.Layer):
    def forward(self, x, n):
        total = 1
        chosen = (lambda k: k + 1) if x.sum() > 100 else (lambda k: k)
        if n % 2 == 0:

            def down(k):
                nonlocal total
                if k <= 0:
                    return total
                return down(k - 2) + k if x.sum() > 2 else down(k - 1)

            if x[0] <= 1:
                total += 1
            else:
                chosen = lambda k: k + down(1)  # noqa: E731
        return chosen(2)


@pytest.mark.parametrize(
    "model, words",
    [
        (OfAnother, "this function depends on the path, and uses down, which only the Program knows later on"),
        (Counter, r"tick, made anew each time\): .* uses a variable around it that may be stored again"),
        (StoredLater, r"lambda>, made anew each time\): .* hand that over as a default, lambda v, i=i"),
        (OfALoop, r"lambda>, made anew each time\): .* hand that over as a default, lambda v, i=i"),
        (CallsItself, r"down, made anew each time\): a Program can't keep a function that calls itself"),
        (AttributeLater, "this function is stored or returned, and gets an attribute"),
        (AttributeOfKept, "storing the attribute calls of a adder"),
        (GrowsInALoop, "this partial is made with 9 different numbers or names of arguments"),
        (Text, "the text of a partial that is known only when the Program runs"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_cant_be_kept_is_refused(model, words):
    with pytest.raises(ConversionError, match=words):
        paddle.jit.to_static(model(), input_spec=SPEC)(paddle.ones([2]), paddle.to_tensor(2))


def all_of(*tests):
    def holds(x):
        found = x > -100
        for test in tests:
            found = found.logical_and(test(x))
        return found

    return holds


def moved(test, by):
    return lambda x: test(x + by)


def masks_of_masks(x, n):
    """A closure that holds others of its own code, on some paths, of which some hold it again."""
    mask = all_of(lambda y: y > 0, lambda y: y < 5)
    if n > 0:
        mask = moved(mask, n)
    if n > 1:
        mask = all_of(mask, lambda y: y != 2)
    if n > 2:
        mask = all_of(all_of(mask, lambda y: y != 3), moved(all_of(mask), 1))
    return mask(x)


def test_closures_that_hold_others_of_their_own_code():
    static = paddle.jit.to_static(masks_of_masks, input_spec=SPEC)
    x = paddle.arange(-4, 8).astype("float32")
    for n in range(5):
        assert static(x, paddle.to_tensor(n)).tolist() == masks_of_masks(x, paddle.to_tensor(n)).tolist()
