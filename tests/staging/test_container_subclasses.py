"""Classes of the user's that derive from a container: their methods, what Python says of their objects, and their state."""

from __future__ import annotations

import copy
import heapq
import io
from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

from .agreement import as_programs, functions_of, outcome
from .paths import assert_agrees_on_all_paths, in_two_dtypes


class Stack(list):
    limit = 3
    made = 0

    def __init__(self, items=(), name="s"):
        super().__init__(items)
        self.name = name
        self.pushed = 0

    def append(self, item):
        super().append(item)
        self.pushed += 1
        if len(self) > self.limit:
            del self[0]

    @property
    def top(self):
        return self[-1]

    @top.setter
    def top(self, item):
        self[-1] = item

    @classmethod
    def of(cls, *items):
        return cls(items)

    @staticmethod
    def double(item):
        return item * 2

    def twice(self):
        return type(self)([*self, *self], self.name)


class Deep(Stack):
    limit = 2

    def append(self, item):
        super().append(self.double(item))

    def extend(self, items):
        for item in items:
            self.append(item)


class Odd(list):
    """Whose own methods C code doesn't ask."""

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return 100

    def sort(self):
        return "mine"


class Backwards(list):
    def __iter__(self):
        return iter(list(super().__iter__())[::-1])


class Table(dict):
    def __missing__(self, key):
        self[key] = made = [0]
        return made


class Lower(dict):
    def __getitem__(self, key):
        return super().__getitem__(key.lower())

    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)

    def __contains__(self, key):
        return super().__contains__(key.lower())


class Recent(OrderedDict):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self.size:
            self.popitem(last=False)


class Groups(defaultdict):
    def __init__(self):
        super().__init__(list)

    def put(self, key, item):
        self[key].append(item)
        return len(self[key])


class Window(deque):
    def mean(self):
        return sum(self) / len(self)


class Votes(Counter):
    def winner(self):
        return self.most_common(1)[0][0]


class Tags(set):
    def add(self, tag):
        super().add(tag * 10)


def told(value):
    return type(value).__name__, list(value), vars(value)


def appended_in_a_branch(x, n):
    v = Stack([x], "a")
    v.append(x + 1)
    if n > 1:
        v.append(x + 2)
        v.append(x + 3)
        v.name = "b"
    return [*v], v.name, v.pushed, v.top, len(v)


def appended_in_a_loop(x, n):
    v = Deep()
    for i in range(n):
        v.append(i)
    return list(v), v.pushed, type(v).__name__


def chosen(x, n):
    if n > 1:
        v = Stack([x, x], "long")
    else:
        v = Stack([x], "short")
    v.append(x)
    return len(v), v.name, v.pushed


def carried(x, n):
    v = Stack()
    while n > 0:
        v = Stack([*v, n], v.name + "!")
        n = n - 1
    return [*v], v.name


def none_or_one(x, n):
    v = None
    if n > 1:
        v = Stack([n])
    if v is None:
        return 0
    v.append(7)
    return sum(v)


def property_and_class(x, n):
    v = Stack.of(x, x * 2)
    v.top = x * 3
    if n > 1:
        v.top = x * 4
    return v.top, v.limit, Stack.double(n), v.double(n), [*v.twice()], v.twice().name


def what_it_is(x, n):
    v = Deep([n])
    if n > 1:
        v.append(n)
    return (isinstance(v, list), isinstance(v, Stack), isinstance(v, Deep), isinstance(v, dict), type(v) is Deep,
            type(v) is Stack, type(v) is list, issubclass(type(v), list), type(v).__name__, hasattr(v, "append"),
            hasattr(v, "none"), v.__class__ is Deep, v.__class__.__name__)


def unbound(x, n):
    v = Deep([n])
    list.append(v, n)
    Stack.append(v, n)
    if n > 1:
        list.append(v, n)
        list.__setitem__(v, 0, 9)
    list.sort(v)
    return [*v], v.pushed, list.__len__(v), list.pop(v)


def operators(x, n):
    v = Stack([n, 2])
    if n > 1:
        v.append(1)
    v += [5]
    w = v
    w *= 2
    return (v + [1], [1] + v, v * 2, 2 * v, v == [n, 2, 5], v != [n], v < [100], w is v, v[0], v[-1], v[1:], 2 in v, 9 in v,
            type(v + v).__name__, type(v[:1]).__name__, bool(v), bool(Stack()), str(v), v.index(2), v.count(5))


def by_c_code(x, n):
    v = Odd([n, 2, 1])
    if n > 1:
        v.append(0)
    first, *rest = v
    return (len(v), v[0], [*v], [i for i in v], list(v), sum(v), max(v), sorted(v), first, rest, v.sort(), list.__len__(v),
            tuple(v), [i for i, _ in enumerate(v)], list(zip(v, [1, 2])), v + [1], v == [n, 2, 1], v.pop())


def its_own_iteration(x, n):
    v = Backwards([n, 2, 1])
    if n > 1:
        v.append(0)
    found = []
    for item in v:
        found.append(item)
    a, *_ = v
    return found, [*v], list(v), v[0], sum(v), a, v == [n, 2, 1], [i for i in v], v + [1]


def missing_keys(x, n):
    v = Table(a=[1])
    v["a"].append(n)
    v["b"].append(n)
    if n > 1:
        v["c"].append(n)
    return sorted(v), v["a"], v["b"], len(v), "c" in v, v.get("d"), {**v} == dict(v)


def own_keys(x, n):
    v = Lower(A=n)
    v["B"] = n
    if n > 1:
        v["C"] = 3
    return list(v), v["b"], "B" in v, "a" in v, v.get("A"), len(v), [k for k in v], list(v.items())


def least_recent(x, n):
    v = Recent(2)
    for i in range(n):
        v[i] = i * 2
    return list(v), list(v.values()), v.size, type(v.copy) is not None


def copied_by_append(x, n):
    v = Deep([n], "d")
    v.append(2)
    w = copy.copy(v)
    w.append(3)
    u = copy.deepcopy(Window([n, 2]))
    if n > 1:
        v.append(1)
    return [*v], [*w], w.name, w.pushed, type(w).__name__, list(u), type(u).__name__


class Pair(tuple):
    def total(self):
        return self[0] + self[1]

    def swapped(self):
        return type(self)((self[1], self[0]))


def pairs(x, n):
    v = Pair((n, 2))
    w = v
    while n > 1:
        w = w.swapped()
        n = n - 1
    first, second = w
    return (w.total(), first, second, [*w], v + (1,), (1,) + v, w[::-1], type(w) is Pair, isinstance(w, tuple), len(w), 2 in w,
            w == (2, 3), "%s-%s" % Pair(("a", "b")), {Pair((1, 2)): 5}[Pair((1, 2))])


def filled(x, n):
    v = Lower.fromkeys("AB", 1)
    v["A"] = n
    return dict(v), type(v).__name__


def grouped(x, n):
    v = Groups()
    for i in range(n):
        v.put(i % 2, i)
    return v.put(0, 5), dict(v), v.default_factory is list


def means(x, n):
    v = Window([n], maxlen=2)
    v.append(3)
    if n > 1:
        v.append(5)
    w = v.copy()
    w.append(n)
    return v.mean(), list(v), v.maxlen, type(w).__name__, list(w), str(v)


def voted(x, n):
    v = Votes("aab")
    v.update("bbb")
    if n > 1:
        v["c"] += 9
    return v.winner(), v["none"], len(v), type(v + v).__name__, v.total()


def tagged(x, n):
    v = Tags([1, 2])
    v.add(3)
    if n > 1:
        v.add(4)
    return sorted(v), sorted(v | {7}), sorted(v - {1}), v >= {1}, type(v | v).__name__, 30 in v, len(v), sorted({5} | v)


def raises(x, n):
    v = Stack([n])
    try:
        if n > 1:
            v.remove(55)
        found = v[n + 5]
    except ValueError as error:
        found = str(error)
    except IndexError:
        found = "index"
    return found, Table().get("x")


def in_containers(x, n):
    rows = [Stack([1]), Stack([2, 3])]
    rows[n % 2].append(n)
    for row in rows:
        row.append(0)
    table = {"k": Stack()}
    if n > 1:
        table["k"].append(1)
    return [[*row] for row in rows], rows[n % 2].pushed, len(table["k"])


def copies(x, n):
    v = Window([n])
    w = copy.copy(v)
    if n > 1:
        v.append(1)
    return list(v), list(w), type(w).__name__


def made_in_a_helper(x, n):
    def helper(v):
        v.append(n)
        return v

    return len(helper(helper(Stack()))), helper(Stack([1])) is None


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_agrees_with_plain_python(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


class Holding(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.stack = Stack([1], "mine")
        self.deep = Deep([1])
        self.table = Table(a=[1])
        self.recent = Recent(2)
        self.groups = Groups()
        self.window = Window([1], maxlen=3)
        self.votes = Votes("aab")
        self.tags = Tags([1])
        self.rows = [Stack([1]), Stack([2])]
        self.last = None


class Changed(Holding):
    def forward(self, n):
        self.stack.append(int(n))
        self.stack.name = self.stack.name + "!"
        if n > 1:
            self.deep.append(int(n))
            self.deep.pushed += 10
            self.table["b"].append(int(n))
            self.recent[int(n)] = 1
            self.groups.put("k", int(n))
            self.votes["a"] += 1
            self.tags.add(int(n))
        self.window.append(int(n))
        alias = self.stack
        alias += [7]
        total = 0
        for item in self.stack:
            total += item
        return (total, alias is self.stack, self.stack.top, self.stack.pushed, self.stack.name, len(self.deep),
                self.votes.winner(), sum(self.window), [*self.recent], sorted(self.tags), 7 in self.stack, self.stack == [1],
                self.stack[0], [*self.stack])


class ByIndex(Holding):
    def forward(self, n):
        self.rows[int(n) % 2].append(5)
        for row in self.rows:
            row.append(1)
        self.stack[int(n) % 1] = int(n)
        return [len(row) for row in self.rows], self.stack[int(n) % 1]


class Replaced(Holding):
    def forward(self, n):
        if self.last is None:
            self.last = Stack()
        self.last.append(int(n))
        if n > 2:
            self.last = Deep([9])
        return list(self.last), self.last.pushed, type(self.last).__name__


class OnlyRead(Holding):
    def forward(self, n):
        return (len(self.stack) + int(n), self.stack.top, self.stack.name, self.table["a"], [*self.rows[0]],
                self.stack.twice().name)


class InALoop(Holding):
    def forward(self, n):
        for i in range(int(n)):
            self.deep.append(i)
            self.table[i % 2].append(i)
        return self.deep.pushed, [*self.deep], len(self.table)


def held(net):
    return {name: told(value) for name, value in vars(net).items() if isinstance(value, list | dict | set | deque)
            and type(value).__module__ == __name__}


@pytest.mark.long
@pytest.mark.parametrize("cls", sampled([Changed, ByIndex, Replaced, OnlyRead, InALoop], 4), ids=lambda cls: cls.__name__)
def test_state_agrees_over_many_calls(cls):
    eager, live, kept = cls(), cls(), cls()
    static = paddle.jit.to_static(live, input_spec=[InputSpec([], "int64", "n")])
    file = io.BytesIO()
    paddle.jit.save(paddle.jit.to_static(kept, input_spec=[InputSpec([], "int64", "n")]), file)
    file.seek(0)
    loaded = paddle.jit.load(file)
    for n in (0, 1, 2, 3, 2, 0, 3, 1):
        call = [np.array(n, np.int64)]
        expected = outcome(eager, call)
        assert repr(outcome(static, call)) == repr(expected)
        assert repr(outcome(loaded, call)) == repr(expected)
        assert held(live) == held(eager)


def given_back(x, n):
    v = Stack([x], "a")
    if n > 1:
        v.append(x)
    return v, Pair((x, n)), Tags([1]), Lower(A=1), Window([1], 4)


def test_results_are_of_the_users_classes():
    static, loaded = as_programs(given_back)
    arguments = paddle.ones([2]), paddle.to_tensor(3)
    stack, pair, tags, lower, window = static(*arguments)
    assert [type(v) for v in (stack, pair, tags, lower, window)] == [Stack, Pair, Tags, Lower, Window]
    assert (len(stack), stack.name, int(stack.pushed), window.maxlen) == (2, "a", 1, 4)
    assert [type(v) for v in loaded(*arguments)] == [list, tuple, set, dict, list]


class OwnNew(list):
    def __new__(cls, items=()):
        return super().__new__(cls)


MADE, STACK = OwnNew(), Stack()


def own_new(x):
    MADE.append(1)
    return x


def pushed_by_c(x):
    heapq.heappush(STACK, 1)
    return x


def own_new_in_a_branch(x):
    v = OwnNew()
    v.append(x)
    return v if x.sum() > 0 else None


REFUSED = {
    own_new: "can't change it, since it has its own __new__; use a list of Python's own",
    pushed_by_c: "heappush may change this Stack from outside while staging, and then never again",
    own_new_in_a_branch: "can't be, since it has its own __new__",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_refused_in_words(function):
    with pytest.raises(ConversionError) as caught:
        paddle.jit.to_static(function, input_spec=[InputSpec([1])]).concrete_program
    assert REFUSED[function] in str(caught.value)
    assert (len(MADE), len(STACK)) == (0, 0)


def test_an_argument_may_be_chosen():
    def chosen(v, x):
        other = v if x.sum() > 0 else Stack([x], "new")
        return other.name, len(other), v[0]

    static = paddle.jit.to_static(chosen)
    for x in (paddle.ones([1]), -paddle.ones([1])):
        v = Stack([x, x], "given")
        assert [static(v, x)[0], int(static(v, x)[1])] == [chosen(v, x)[0], chosen(v, x)[1]]


class Replaceable(list):
    def total(self):
        return sum(self)


def test_a_replaced_method_is_found_anew():
    held = Replaceable([1, 2])

    def f(x):
        held.append(1)
        return x + held.total()

    static = paddle.jit.to_static(f)
    assert static(paddle.zeros([1])).item() == 4
    kept = Replaceable.total

    def total(self):
        return 100

    Replaceable.total = total
    try:
        assert static(paddle.zeros([1])).item() == 100
    finally:
        Replaceable.total = kept
    assert static(paddle.zeros([1])).item() == 6
    assert type(held) is Replaceable and list(held) == [1, 2, 1, 1, 1]


class Cache(dict):
    def __init__(self):
        super().__init__()
        self._misses = self._stores = 0

    def look(self, key):
        try:
            return self[key]
        except KeyError:
            self._misses += 1
            return -1


class Queue(deque):
    def _check(self):
        return 1

    def _made(self):
        return 2


class Tally(Counter):
    def _count(self):
        return 3

    def _combined(self):
        return 4

    def _become(self):
        return 5


def private_names_of_a_users_class(x):
    cache, queue, tally = Cache(), Queue([1, 2], 3), Tally("aab")
    queue.append(x.sum())
    tally += Tally(a=1)
    cache["a"] = queue[2]
    del queue[0]
    found = cache.look("a") + cache.look("b") + len(queue.copy()) + tally["a"] + len(tally + tally)
    return x + found + cache._misses + queue._check() + queue._made() + tally._count() + tally._combined() + tally._become()


def test_what_the_package_needs_of_a_container_takes_no_name_of_the_users():
    x = paddle.to_tensor([1.0, 2.0])
    expected = private_names_of_a_users_class(x).tolist()
    assert paddle.jit.to_static(private_names_of_a_users_class)(x).tolist() == expected


def silent(base):
    """A class that leaves it to the other operand to compare, unless that is of the same class."""

    class Silent(base):
        def __eq__(self, other):
            return base.__eq__(self, other) if isinstance(other, Silent) else NotImplemented

        def __ne__(self, other):
            return NotImplemented

        def __lt__(self, other):
            return NotImplemented

        def __ge__(self, other):
            return NotImplemented

        __hash__ = None

    return Silent


OF_PYTHON = {
    list: ([1, 2], [1, 3]),
    tuple: ((1, 2), (1, 3)),
    set: ({1, 2}, {1, 3}),
    deque: (deque([1, 2]), deque([1, 3])),
    dict: ({1: 2}, {1: 3}, OrderedDict({1: 2})),
    OrderedDict: ({1: 2, 2: 3}, OrderedDict({1: 2, 2: 3}), OrderedDict({2: 3, 1: 2})),
}


@pytest.mark.parametrize("base", OF_PYTHON, ids=lambda base: base.__name__)
def test_pythons_container_answers_where_a_subclass_says_nothing(base):
    cls, ordered = silent(base), base not in (dict, OrderedDict)

    def compared():
        answers = []
        for other in OF_PYTHON[base]:
            own = cls(OF_PYTHON[base][0])
            answers += [own == other, other == own, own != other, other != own, own == cls(other), own != 1]
            if ordered:
                answers += [own < other, other < own, own >= other, other >= own, own > other, other <= own]
        return answers

    assert paddle.jit.to_static(compared)() == compared()


class Settings(dict):
    def __init__(self, **items):
        super().__init__(**items)
        self.tag = 1

    def change(self):
        self.__dict__.update(z=2)


class ByName(dict):
    def __init__(self):
        super().__init__()
        self.__dict__ = self


def test_attributes_of_a_container_as_a_dict():
    def shown():
        made = Settings(a=1)
        made.more = [2]
        return vars(made), made.__dict__, {**vars(made)}, sorted(vars(made)), "tag" in vars(made), len(made.__dict__)

    assert paddle.jit.to_static(shown)() == shown()


CHANGED_AS_A_DICT = [(lambda: Settings().change(), "call setattr"), (lambda: ByName(), "write a __getattr__")]


@pytest.mark.parametrize("function, words", CHANGED_AS_A_DICT)
def test_attributes_of_a_container_are_not_changed_as_a_dict(function, words):
    with pytest.raises(ConversionError, match=words):
        paddle.jit.to_static(function)()


class Slotted(list):
    __slots__ = ("first",)


class SlottedAndMore(Settings):
    __slots__ = ("first",)


def made_of(kind):
    made = kind([1]) if kind is not SlottedAndMore else kind(a=1)
    if kind in (Slotted, SlottedAndMore):
        made.first = 3
    return made


USES = {
    "vars": lambda made: vars(made),
    "__dict__": lambda made: made.__dict__,
    "hasattr": lambda made: (hasattr(made, "__dict__"), hasattr(made, "first"), hasattr(made, "other")),
    "store": lambda made: (setattr(made, "other", 2), made.other, vars(made)),
    "copy": lambda made: (c := copy.copy(made), getattr(c, "first", 0)),
    "deepcopy": lambda made: (c := copy.deepcopy(made), getattr(c, "first", 0)),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
@pytest.mark.parametrize("kind", [Slotted, SlottedAndMore, deque, list])
def test_slots_of_a_container_are_no_attributes_of_its_dict(kind, use):
    def answer(call):
        try:
            return repr(call(lambda: use(made_of(kind)))())
        except (AttributeError, TypeError) as error:
            return type(error)

    assert answer(paddle.jit.to_static) == answer(lambda f: f)
