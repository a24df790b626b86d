"""R-07: what code reads without naming it, by `vars`, by a special method or by the library, is looked at before each call."""

import copy
import dataclasses
import functools
import inspect
import json
import operator
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from support.answers import answer

import dy2st as paddle

X = paddle.to_tensor([1.0, 2.0])


@dataclass
class Part:
    a: int = 1
    b: float = 2.0
    t: list = field(default_factory=lambda: [1])


@dataclass(order=True)
class Ordered:
    a: int = 1
    t: list = field(default_factory=lambda: [1], compare=False)


class Own:
    def __init__(self):
        self.a, self.b, self.t = 1, 2.0, [1]

    def __repr__(self):
        return "r" * self.a

    def __eq__(self, other):
        return self.a == other.a

    def __hash__(self):
        return hash(self.a)

    def __len__(self):
        return self.a

    def __iter__(self):
        return iter([self.a, self.b])

    def __contains__(self, item):
        return item == self.a

    def __index__(self):
        return self.a

    def __float__(self):
        return float(self.a)

    def __lt__(self, other):
        return self.a < 7

    def __format__(self, spec):
        return "f" * self.a


def simple():
    return SimpleNamespace(a=1, b=2.0, t=[1])


READS = {
    "vars": (Own, lambda o: vars(o)["a"]),
    "vars.get": (Own, lambda o: vars(o).get("a")),
    "vars.values": (Own, lambda o: sum(v for v in vars(o).values() if isinstance(v, int | float))),
    "vars as keywords": (Own, lambda o: (lambda a, **rest: a)(**vars(o))),
    "len(vars)": (Own, lambda o: len(vars(o))),
    "in vars": (Own, lambda o: 1 if "q" in vars(o) else 2),
    "vars ==": (Part, lambda o: 1 if vars(o) == {"a": 1, "b": 2.0, "t": [1]} else 2),
    "names": (Own, lambda o: sum(getattr(o, k) for k in vars(o) if k != "t")),
    "dir": (Own, lambda o: len([n for n in dir(o) if not n.startswith("_")])),
    "attrgetter": (Own, lambda o: operator.attrgetter("a")(o)),
    "attrgetters": (Own, lambda o: sum(operator.attrgetter("a", "b")(o))),
    "methodcaller": (Own, lambda o: operator.methodcaller("__len__")(o)),
    "object's": (Own, lambda o: object.__getattribute__(o, "a")),
    "repr of fields": (Part, lambda o: len(repr(o))),
    "str of fields": (Part, lambda o: len(str(o))),
    "f-string": (Part, lambda o: len(f"{o}")),
    "format": (Part, lambda o: len("{0.a}".format(o))),
    "%": (Part, lambda o: len("%s" % (o,))),
    "==": (Part, lambda o: 1 if o == Part() else 2),
    "in a list": (Part, lambda o: 1 if o in [Part()] else 2),
    "lists": (Part, lambda o: 1 if [o] == [Part()] else 2),
    "order": (Ordered, lambda o: 1 if o < Ordered(20) else 2),
    "min": (Ordered, lambda o: min(o, Ordered(20)).a),
    "sorted": (Ordered, lambda o: sorted([Ordered(20), o])[0].a),
    "asdict": (Part, lambda o: dataclasses.asdict(o)["a"]),
    "replace": (Part, lambda o: dataclasses.replace(o, b=1).a),
    "copy": (Part, lambda o: copy.copy(o).a),
    "deepcopy": (Part, lambda o: copy.deepcopy(o).a),
    "json": (Part, lambda o: len(json.dumps(vars(o)))),
    "members": (Part, lambda o: dict(inspect.getmembers(o))["a"]),
    "own repr": (Own, lambda o: len(repr(o))),
    "own ==": (Own, lambda o: 1 if o == Own() else 2),
    "own hash": (Own, lambda o: hash(o)),
    "own set": (Own, lambda o: 1 if Own() in {o} else 2),
    "own len": (Own, lambda o: len(o)),
    "own iter": (Own, lambda o: sum(o)),
    "own in": (Own, lambda o: 1 if 1 in o else 2),
    "own int": (Own, lambda o: int(o)),
    "own range": (Own, lambda o: len(range(o))),
    "own float": (Own, lambda o: float(o)),
    "own <": (Own, lambda o: 1 if o < o else 2),
    "own format": (Own, lambda o: len(f"{o}")),
    "namespace": (simple, lambda o: len(repr(o))),
    "namespace ==": (simple, lambda o: 1 if o == simple() else 2),
    "bound": (Own, lambda o: functools.partial(Own.__len__, o)()),
}


class Reader(paddle.nn.Layer):
    def __init__(self, part, read):
        super().__init__()
        self.part, self.read = part, read

    def forward(self, x):
        return x * self.read(self.part)


def answers(net):
    """What the calls give while the part that the layer holds is changed from outside."""
    part, found = net.part, []
    for change in (
        lambda: None, lambda: setattr(part, "a", 50), lambda: part.t.append(2), lambda: setattr(part, "q", 7),
        lambda: setattr(part, "a", 2),
    ):  # fmt: skip
        change()
        found.append(answer(lambda: net(X).tolist()))
    return found


@pytest.mark.parametrize(("cls", "read"), READS.values(), ids=list(READS))
def test_r_07_what_is_read_without_a_name_is_looked_at_before_each_call(cls, read):
    static = paddle.jit.to_static(Reader(cls(), read))
    assert answers(static) == answers(Reader(cls(), read))


@pytest.mark.parametrize("name", ["vars", "==", "own len", "repr of fields"])
def test_r_07_and_nothing_is_staged_again_where_it_stays(name):
    static = paddle.jit.to_static(Reader(READS[name][0](), READS[name][1]))
    assert len({tuple(static(X).tolist()) for _ in range(4)}) == 1
    assert len(static.forward.program_cache) == 1


class Changer(paddle.nn.Layer):
    def __init__(self, change):
        super().__init__()
        self.part, self.change = Own(), change

    def forward(self, x):
        self.change(self.part, x)
        return x * self.part.a + self.part.b


def stored(part, x):
    vars(part)["b"] = 3.0 + vars(part)["b"]


def stored_in_place(part, x):
    part.__dict__["a"] += 1


def stored_on_a_path(part, x):
    if x.sum() > 0:
        vars(part)["a"] = part.a + 1


def stored_in_a_loop(part, x):
    for e in x:
        part.__dict__["b"] = part.b + e


def updated(part, x):
    vars(part).update(b=part.b + 1, a=2)


CHANGES = [stored, stored_in_place, stored_on_a_path, stored_in_a_loop, updated]


@pytest.mark.parametrize("change", CHANGES)
def test_r_07_a_change_of_vars_is_one_of_the_attributes(change):
    plain, static = Changer(change), paddle.jit.to_static(Changer(change))
    for x in ([1.0, 2.0], [-1.0, -2.0], [1.0, 2.0], [3.0, 3.0]):
        assert static(paddle.to_tensor(x)).tolist() == plain(paddle.to_tensor(x)).tolist()
    assert numbers_of(static.part) == numbers_of(plain.part)


def numbers_of(part):
    return {name: float(value) for name, value in vars(part).items() if name != "t"}


def cleared(part, x):
    vars(part).clear()


def another_class(part, x):
    part.__class__ = Part


def another_dict(part, x):
    part.__dict__ = {"a": 1, "b": 2.0}


@pytest.mark.parametrize("change", [cleared, another_class, another_dict])
def test_r_07_an_object_that_changes_as_a_whole_is_refused(change):
    with pytest.raises(paddle.errors.ConversionError, match=r"as a whole|make another object"):
        paddle.jit.to_static(Changer(change))(X)
