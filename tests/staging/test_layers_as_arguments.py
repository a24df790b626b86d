"""A grid: what a function changes of a Layer, or of another object that is no container, among its arguments."""

from __future__ import annotations

import itertools

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import Dy2stError


class Inner(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.tag = 0
        self.rows = []


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.kept, self.table, self.log = 1, {"rows": [1]}, []
        self.total = paddle.to_tensor([0.0, 0.0])
        self.inner = Inner()
        self.weight = self.create_parameter([2], default_initializer=paddle.nn.initializer.Constant(1.0))


class Called:
    """An object of a class with `__call__`, of which no walk of arguments knows the parts."""

    def __init__(self):
        self.kept, self.table, self.log = 1, {"rows": [1]}, []
        self.total = paddle.to_tensor([0.0, 0.0])
        self.inner = Inner()

    def __call__(self, x):
        return x


class Text(str):
    """Two that say the same have attributes of their own."""

    def __init__(self):
        self.kept, self.table, self.log = 1, {"rows": [1]}, []
        self.total = 0.0
        self.inner = Inner()


def stored(n, x, k):
    n.kept = 3


def counted(n, x, k):
    n.kept = n.kept + 1


def stored_tensor(n, x, k):
    n.kept = n.kept + k


def nested(n, x, k):
    n.table["a"] = 1
    n.table["rows"].append(2)


def summed(n, x, k):
    n.total = n.total + x


def appended(n, x, k):
    n.log.append(2)


def new(n, x, k):
    n.new, n.news = 5, [x]


def replaced(n, x, k):
    n.log = [k]


def of_the_inner(n, x, k):
    n.inner.tag = 4
    n.inner.rows.append(x)


def parameter(n, x, k):
    if isinstance(n, Net):
        n.weight.set_value(x)


def buffer(n, x, k):
    if isinstance(n, Net):
        n.total.add_(x)


def in_its_namespace(n, x, k):
    n.__dict__["kept"] = k


PLAIN = [stored, counted, stored_tensor, in_its_namespace, nested, summed, appended, new, replaced]
CHANGES = [*PLAIN, of_the_inner, parameter, buffer]


def plainly(change, n, x, k):
    change(n, x, k)


def on_a_path(change, n, x, k):
    if x.sum() > 0:
        change(n, x, k)


def in_a_loop(change, n, x, k):
    for _ in range(2):
        change(n, x, k)


def in_a_staged_loop(change, n, x, k):
    i = 0
    while i < k:
        change(n, x, k)
        i = i + 1


def before_an_exception(change, n, x, k):
    change(n, x, k)
    if x.sum() > 0:
        raise ValueError("no")


WAYS = [plainly, on_a_path, in_a_loop, in_a_staged_loop, before_an_exception]

PLACES = {
    "an argument": (lambda n, x: n, lambda held: held),
    "in a list": (lambda n, x: [n], lambda held: held[0]),
    "in a dict with a tensor": (lambda n, x: {"n": n, "x": x}, lambda held: held["n"]),
    "in a tuple of lists": (lambda n, x: ([n], 1), lambda held: held[0][0]),
}


def told(value):
    if isinstance(value, paddle.Tensor):
        return type(value).__name__, value.numpy().tolist()
    if isinstance(value, dict):
        return {key: told(part) for key, part in value.items() if key != "_full_name"}
    if isinstance(value, list | set):
        return [told(part) for part in value]
    return told(vars(value)) if isinstance(value, Net | Inner | Called | Text) else repr(value)


def answers(function, kind, place):
    """What each call leaves of two objects, given in turn."""
    first, second = kind(), kind()
    for n, k, sign in ((first, 1, 1.0), (first, 2, 1.0), (second, 1, 1.0), (first, 2, -1.0)):
        x, raised = paddle.to_tensor([1.0, 2.0]) * sign, ""
        try:
            function(place(n, x), x, paddle.to_tensor(k))
        except Dy2stError as error:
            yield f"refused: {error}"
            return
        except Exception as error:
            raised = repr(error)
        yield raised, told(first), told(second)


def check(kind, change, way, name):
    place, taken = PLACES[name]

    def function(held, x, k):
        way(change, taken(held), x, k)
        return x

    expected, given = list(answers(function, kind, place)), list(answers(paddle.jit.to_static(function), kind, place))
    if not (isinstance(given[-1], str) and "test_layers_as_arguments.py:" in given[-1]):
        assert given == expected


@pytest.mark.long
@pytest.mark.parametrize("case", sampled(itertools.product([Net, Called, Text], CHANGES, WAYS, PLACES), 8))
def test_a_change(case):
    check(*case)


def test_what_is_stored_in_a_layer_stays():
    for change in (stored, nested, summed, new, of_the_inner, stored_tensor, in_its_namespace):
        check(Net, change, plainly, "an argument")


def test_two_texts_that_say_the_same_are_two():
    check(Text, appended, plainly, "an argument")


def test_a_layer_that_is_a_changed_list_holds():
    def function(layers, x):
        layers[0].kept = 3
        layers[0].log.append(x)
        layers.append(1)
        return x

    static = paddle.jit.to_static(function)
    for net in (Net(), Net()):
        layers = [net]
        static(layers, paddle.to_tensor([1.0]))
        assert layers == [net, 1] and net.kept == 3 and len(net.log) == 1
