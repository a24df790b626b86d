"""Recursion on staged values: a Function of the Program that calls itself gives what plain Python gives."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import io
import sys

import numpy as np
import pytest

import dy2st as paddle
from dy2st.cli import main as cli
from dy2st.config import limits
from dy2st.errors import ConversionError
from dy2st.ir.parser import parse_program
from dy2st.static import InputSpec

from .agreement import assert_agrees

N = InputSpec([], "int64", "n")
X = InputSpec([None], "float32", "x")
A = np.array([1, 2, 3], np.float32)
pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")


@pytest.fixture(autouse=True)
def sixteen_calls(monkeypatch):
    """After so many a recursion goes on as a Function. It is the same after 64, and some refusals take 64 * 64 calls then."""
    monkeypatch.setattr(limits, "recursion_depth", 16)


def integers(*numbers):
    return [(np.int64(n),) for n in numbers]


def program_of(function, *specs):
    return paddle.jit.to_static(function, input_spec=list(specs)).concrete_program.program


# --- numbers -----------------------------------------------------------------------------------------------------------------


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def ternary(n):
    return 0 if n <= 0 else 1 + ternary(n - 1)


def short_circuit(n):
    return n <= 0 or (n % 7 != 0 and short_circuit(n - 1))


def collatz(n, steps=0):
    if n == 1:
        return steps
    if n % 2 == 0:
        return collatz(n // 2, steps + 1)
    return collatz(3 * n + 1, steps + 1)


def even(n):
    if n == 0:
        return True
    return odd(n - 1)


def odd(n):
    if n == 0:
        return False
    return even(n - 1)


def pair(n):
    if n == 0:
        return 0, 1
    a, b = pair(n - 1)
    return b, a + b


def none_on_a_path(n):
    if n > 10:
        return None
    if n == 5:
        return n
    return none_on_a_path(n + 1)


def kinds_by_path(n):
    if n <= 0:
        return "done"
    if n == 1:
        return 2.5
    return kinds_by_path(n - 2)


def text(n):
    if n == 0:
        return ""
    return text(n - 1) + "ab"


def in_a_loop(n):
    total = 0
    for i in range(n):
        total += fibonacci(i)
    return total


def loop_inside(n):
    total = 1
    while n > 0:
        total = total + loop_inside(n - 2)
        n = n - 1
    return total


def several_calls(n):
    return factorial(n), factorial(n + 1), fibonacci(n)


def counted_up(n, k):
    return k if n <= 0 else counted_up(n - 1, k + 1)


def from_two_lines_with_other_numbers(n):
    first = counted_up(n, 1)
    second = counted_up(n, 7)
    return first, second, counted_up(n, 0.5)


def what_a_loop_made_before(n):
    turns, made = 0, None
    while turns < 2 and n > 0:
        turns += 1
        made = lambda k: n + turns + k  # noqa: E731, B023
    return factorial(n) if made is None else made(factorial(n))


def comprehension(n):
    return sum([comprehension(i) for i in range(n)]) + 1


@pytest.mark.parametrize(
    "function",
    [
        factorial,
        fibonacci,
        ternary,
        short_circuit,
        even,
        pair,
        none_on_a_path,
        kinds_by_path,
        text,
        in_a_loop,
        loop_inside,
        several_calls,
        what_a_loop_made_before,
        from_two_lines_with_other_numbers,
        comprehension,
    ],
    ids=lambda f: f.__name__,
)
def test_numbers(function):
    assert_agrees(function, [N], integers(0, 1, 2, 5, 7))


def test_an_argument_that_differs_from_call_to_call_becomes_staged():
    assert_agrees(collatz, [N], integers(1, 6, 27))
    assert "steps: int" in str(program_of(collatz, N))


def gcd(a, b):
    if b == 0:
        return a
    return gcd(b, a % b)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def power(x, n):
    if n == 0:
        return x * 0 + 1.0
    if n % 2 == 0:
        half = power(x, n // 2)
        return half * half
    return x * power(x, n - 1)


def test_two_numbers():
    pairs = [(np.int64(a), np.int64(b)) for a, b in ((12, 18), (7, 0), (2, 3), (1, 1))]
    assert_agrees(gcd, [N, InputSpec([], "int64")], pairs)
    assert_agrees(ackermann, [N, InputSpec([], "int64")], pairs[2:])
    assert_agrees(power, [X, N], [(A, np.int64(n)) for n in (0, 1, 5, 8)])


def test_the_program_reads_as_the_function_does():
    text = str(program_of(factorial, N))
    assert 'call %n, function="factorial"' in text
    assert text.count("def factorial(%n: int64[]) -> int64[]:") == 1 and text.count("def ") == 2


# --- containers --------------------------------------------------------------------------------------------------------------


def collect(n):
    def walk(k, out):
        if k <= 0:
            return out
        out.append(k * 2)
        return walk(k - 1, out)

    out = []
    found = walk(n, out)
    out.append(-1)
    return found, out


def fresh_lists(n):
    if n <= 0:
        return []
    found = fresh_lists(n - 1)
    found.append(n + (found[0] if len(found) > 0 else 0))
    return found


def fresh_list_that_grows_outside(n):
    found = fresh_lists(n)
    found.append("end")
    return found


def each_has_its_own(n):
    own = [n]
    if n > 0:
        own.extend(each_has_its_own(n - 1))
    return own


def changed_by_the_callee(n):
    def fill(k, out):
        if k <= 0:
            out.append(k)
            return 0
        mine = []
        fill(k - 1, mine)
        out.append(len(mine))
        return mine[0]

    out = []
    return fill(n, out), out


def one_list_under_two_names(n):
    def walk(xs, ys, k):
        if k <= 0:
            return
        xs.append(k)
        if len(ys) > 2:
            ys.pop()
        walk(ys, xs, k - 1)

    same, left, right = [], [], []
    walk(same, same, n)
    walk(left, right, n)
    return same, left, right


def hanoi(n):
    def move(k, a, b, c):
        if k == 0:
            return
        move(k - 1, a, c, b)
        moves.append((a, c))
        move(k - 1, b, a, c)

    moves = []
    move(n, "A", "B", "C")
    return moves


def subsets(n):
    def go(k, path):
        if k == 0:
            out.append(path)
            return
        go(k - 1, path + [k])
        go(k - 1, path)

    out = []
    go(n, [])
    return out


def backtracking(n):
    def go(k):
        nonlocal count
        if k == 0:
            count += 1
            return
        for choice in range(2):
            if len(path) > 0 and path[-1] == choice and choice == 1:
                continue
            path.append(choice)
            go(k - 1)
            path.pop()

    path, count = [], 0
    go(n)
    return count, path


def memo(n):
    def go(k):
        if k in cache:
            return cache[k]
        found = k if k < 2 else go(k - 1) + go(k - 2)
        cache[k] = found
        return found

    cache = {}
    return go(int(n))


def items_of_a_list(n):
    def total(ys):
        if len(ys) == 0:
            return 0
        return ys[0] + total(ys[1:])

    def largest(ys, best):
        if not ys:
            return best
        return largest(ys[1:], ys[0] if ys[0] > best else best)

    squares = []
    for i in range(n):
        squares.append(i * i)
    return total(squares), largest(squares, -1)


@pytest.mark.parametrize(
    "function",
    [
        collect,
        fresh_lists,
        fresh_list_that_grows_outside,
        each_has_its_own,
        changed_by_the_callee,
        one_list_under_two_names,
        hanoi,
        subsets,
        backtracking,
        memo,
        items_of_a_list,
    ],
    ids=lambda f: f.__name__,
)
def test_containers(function):
    assert_agrees(function, [N], integers(0, 1, 2, 4))


def rows(x):
    items = []
    for i in range(x.shape[0]):
        items.append(x[i])
    return items


def quicksort(items):
    if len(items) <= 1:
        return items
    small, large = [], []
    for item in items[1:]:
        if item < items[0]:
            small.append(item)
        else:
            large.append(item)
    return quicksort(small) + [items[0]] + quicksort(large)


def merge_sort(items):
    if len(items) <= 1:
        return items
    middle = len(items) // 2
    left, right = merge_sort(items[:middle]), merge_sort(items[middle:])
    out, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out + left[i:] + right[j:]


@pytest.mark.parametrize("sort", [quicksort, merge_sort], ids=lambda f: f.__name__)
def test_sorting_a_list_whose_length_is_staged(sort):
    def ordered(x):
        return sort(rows(x))

    assert_agrees(ordered, [X], [(np.array(v, np.float32),) for v in ([3, 1, 2, 5, 1], [], [1], [2, 1])])


def test_binary_search():
    def find(x, v):
        def go(low, high):
            if low >= high:
                return -1
            middle = (low + high) // 2
            if x[middle] == v:
                return middle
            if x[middle] < v:
                return go(middle + 1, high)
            return go(low, middle)

        return go(0, x.shape[0])

    x = np.array([1, 3, 5, 7], np.float32)
    calls = [(x, np.float32(v)) for v in (1, 5, 7, 4, 9)] + [(x[:0], np.float32(1))]
    assert_agrees(find, [X, InputSpec([], "float32")], calls)


def test_flood_fill():
    def fill(image, i, j):
        if i < 0 or j < 0 or i >= image.shape[0] or j >= image.shape[1]:
            return 0
        if image[i, j] != 1:
            return 0
        image[i, j] = 2
        return 1 + fill(image, i + 1, j) + fill(image, i - 1, j) + fill(image, i, j + 1) + fill(image, i, j - 1)

    def flood(image, i, j):
        image = image + 0
        return fill(image, i, j), image

    def from_the_corner(image):
        image = image + 0
        return fill(image, 0, 0), image

    image = np.array([[1, 1, 0, 1], [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 1, 1]], np.float32)
    corners = [(image, np.int64(i), np.int64(j)) for i, j in ((0, 0), (3, 3), (0, 2))]
    assert_agrees(flood, [InputSpec([None, None]), N, InputSpec([], "int64")], corners)
    assert_agrees(from_the_corner, [InputSpec([4, 4])], [(image,), (image * 0,)])


# --- what Python bounds ------------------------------------------------------------------------------------------------------


def test_a_tree_of_python_tuples_is_unrolled():
    def decide(x, tree):
        if isinstance(tree, tuple):
            if x.sum() > tree[0]:
                return decide(x, tree[1])
            return decide(x, tree[2])
        return x * tree

    def function(x):
        return decide(x, (0.0, (10.0, 1.0, (5.0, 2.0, 3.0)), (-3.0, 4.0, 5.0)))

    assert_agrees(function, [X], [(A * f,) for f in (1, 3, -1, 0.1, -0.1)])
    assert len(program_of(function, X).functions) == 1


def test_halves_of_a_known_length_are_unrolled():
    def total(x):
        if x.shape[0] <= 1:
            return x.sum()
        middle = x.shape[0] // 2
        return total(x[:middle]) + total(x[middle:])

    x = np.arange(8, dtype=np.float32)
    assert_agrees(total, [InputSpec([8])], [(x,)])
    assert_agrees(total, [X], [(x,), (x[:1],), (x[:5],)])
    assert len(program_of(total, InputSpec([8])).functions) == 1


def test_a_depth_beyond_the_limit_becomes_staged():
    def deep(x):
        def step(v, depth):
            if depth == 0:
                return v
            return step(v + 1, depth - 1)

        return step(x, 3 * limits.recursion_depth)

    assert_agrees(deep, [X], [(A,)])


# --- what is around the function -----------------------------------------------------------------------------------------------


def counted(n):
    def go(k):
        nonlocal calls
        calls += 1
        if k < 2:
            return k
        return go(k - 1) + go(k - 2)

    calls = 0
    return go(n), calls


def changed_and_put_back(n):
    def go(k):
        nonlocal current
        if k <= 0:
            log.append(current)
            return current
        before = current
        current = current * 2 + k
        found = go(k - 1)
        current = before
        return found + current

    log, current = [], 0
    return go(n), current, log


def read_again_after_a_change(n):
    def go(k):
        if k <= 0:
            return base
        return go(k - 1) * 2

    base = 1
    first = go(n)
    base = 10
    return first, go(n)


def own_variables(n):
    def go(k):
        def add(v):
            nonlocal total
            total += v

        total = 0
        add(k)
        if k > 0:
            add(go(k - 1))
        add(1)
        return total

    return go(n)


def two_that_call_each_other(n):
    def f(k):
        log.append(k)
        if k <= 0:
            return 1
        return g(k - 1) + f(k - 2)

    def g(k):
        log.append(-k)
        if k <= 0:
            return 2
        return f(k - 1) * g(k - 2)

    log = []
    return f(n), g(n), log


def different_arguments_in_turn(n):
    def up(k, s):
        return s if k <= 0 else down(k - 1, s + 1)

    def down(k, s):
        return s if k <= 0 else up(k - 1, s * 2)

    return up(n, 0), down(n, 1.5)


def dictionary_of_state(n):
    def go(k):
        if k > state["best"]:
            state["best"] = k
        state["seen"].append(k)
        if k > 3:
            return
        go(k + 1)
        go(k + 2)

    state = {"best": -1, "seen": []}
    go(n)
    return state["best"], state["seen"]


TOTAL = 0


def globals_too(n):
    def go(k):
        global TOTAL
        TOTAL = TOTAL + k
        if k <= 0:
            return TOTAL
        return go(k - 1) + TOTAL

    global TOTAL
    TOTAL = 0
    return go(n), TOTAL


def defined_in_a_branch(n):
    if n > 2:
        step = 1
    else:
        step = 2

    def go(k):
        return 0 if k <= 0 else go(k - 1) + step

    return go(n)


def with_lambda(n):
    go = lambda k: 1 if k <= 1 else k * go(k - 1)  # noqa: E731
    return go(n)


def with_partial(n):
    def go(by, k):
        return k if k <= 0 else functools.partial(go, by)(k - by)

    return functools.partial(go, 2)(n)


def keywords_and_stars(n):
    def go(*rest, left, scale=2):
        if left == 0:
            return sum(rest)
        return go(*[r * scale for r in rest], left=left - 1)

    return go(n, n + 1, left=n)


def functions_handed_on(n):
    def go(k, f, g):
        if k <= 0:
            return f(k)
        return go(k - 1, g, f)

    return go(n, lambda v: v + 1, lambda v: v * 3 + 5)


@pytest.mark.parametrize(
    "function",
    [
        counted,
        changed_and_put_back,
        read_again_after_a_change,
        own_variables,
        two_that_call_each_other,
        different_arguments_in_turn,
        dictionary_of_state,
        globals_too,
        defined_in_a_branch,
        with_lambda,
        with_partial,
        keywords_and_stars,
        functions_handed_on,
    ],
    ids=lambda f: f.__name__,
)
def test_surroundings(function):
    assert_agrees(function, [N], integers(0, 1, 2, 4))


def test_tensors_written_in_place():
    def fill(x, n):
        def go(z, k):
            if k <= 0:
                return
            z[0] = z[0] + k
            total[1] = total[1] + 1
            go(z, k - 1)

        total, z = x * 0, x * 1
        go(z, n)
        return z, total

    assert_agrees(fill, [X, N], [(A, np.int64(n)) for n in (0, 1, 3)])


# --- objects -----------------------------------------------------------------------------------------------------------------


class Box:
    def __init__(self, value):
        self.value, self.next = value, None


@dataclasses.dataclass
class Point:
    x: object
    y: object


def object_handed_on(n):
    def go(k, box):
        if k <= 0:
            return
        box.value += k
        box.last = k
        go(k - 1, box)

    box = Box(0)
    go(n, box)
    return box.value


def another_object_for_each_call(n):
    def go(k, box):
        if k <= 0:
            return
        box.value += k
        go(k - 1, box)
        go(k - 2, Box(100))

    box = Box(0)
    go(n, box)
    return box.value


def dataclass_handed_on(n):
    def go(point, k):
        if k <= 0:
            return point
        return go(Point(point.x + 1, point.y * 2), k - 1)

    found = go(Point(n, n), n)
    return found.x, found.y


def linked_list(n):
    def build(k):
        if k <= 0:
            return None
        box = Box(k)
        box.next = build(k - 1)
        return box

    def total(box):
        if box is None:
            return 0
        return box.value + total(box.next)

    return total(build(n))


class Walker:
    step = 2

    @staticmethod
    def static(n):
        return 0 if n <= 0 else Walker.static(n - 1) + 1

    @classmethod
    def of_class(cls, n):
        return 0 if n <= 0 else cls.of_class(n - 1) + cls.step

    def __call__(self, n):
        return 0 if n <= 0 else self(n - 1) + 3

    def method(self, n):
        self.depth = n
        return 0 if n <= 0 else self.method(n - 1) + self.depth


def methods(n):
    walker = Walker()
    return Walker.static(n), Walker.of_class(n), walker(n), walker.method(n), walker.depth


@pytest.mark.parametrize(
    "function",
    [object_handed_on, another_object_for_each_call, dataclass_handed_on, linked_list, methods],
    ids=lambda f: f.__name__,
)
def test_objects(function):
    assert_agrees(function, [N], integers(0, 1, 2, 4))


class Net(paddle.nn.Layer):
    """Parameters, Python state and a list, used and changed from inside the recursion."""

    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(3, 3)
        self.count = 0
        self.log = []
        self.cache = {"last": 0}

    def step(self, x, n):
        self.count += 1
        self.log.append(n)
        self.cache["last"] = n
        if n <= 0:
            return x
        return self.step(self.linear(x), n - 1) + n

    def forward(self, x, n):
        return self.step(x, n), self.count, self.cache["last"], len(self.log)


def test_a_layer_with_parameters_and_state():
    plain, net = Net(), Net()
    net.set_state_dict(plain.state_dict())
    static = paddle.jit.to_static(net, input_spec=[X, N])
    file = io.BytesIO()
    paddle.jit.save(static, file)
    file.seek(0)
    loaded = paddle.jit.load(file)
    for n in (0, 2, 3):
        expected = plain(paddle.to_tensor(A), paddle.to_tensor(np.int64(n)))
        for form in (static, loaded):
            given = form(paddle.to_tensor(A), paddle.to_tensor(np.int64(n)))
            np.testing.assert_allclose(given[0].numpy(), expected[0].numpy(), rtol=1e-5)
            assert [int(v) for v in given[1:]] == [int(v) for v in expected[1:]]


class Tree(paddle.nn.Layer):
    def __init__(self, depth):
        super().__init__()
        self.linear = paddle.nn.Linear(3, 3)
        self.kids = paddle.nn.LayerList([Tree(depth - 1) for _ in range(2)]) if depth else None

    def forward(self, x):
        if self.kids is None:
            return self.linear(x)
        if x.sum() > 0:
            return self.kids[0](self.linear(x))
        return self.kids[1](self.linear(x))


def test_layers_of_one_class_inside_each_other_are_unrolled():
    plain, tree = Tree(2), Tree(2)
    tree.set_state_dict(plain.state_dict())
    static = paddle.jit.to_static(tree, input_spec=[X])
    for x in (A, -A):
        np.testing.assert_allclose(static(paddle.to_tensor(x)).numpy(), plain(paddle.to_tensor(x)).numpy(), rtol=1e-5)
    assert len(static.forward.concrete_program.program.functions) == 1


# --- arguments ---------------------------------------------------------------------------------------------------------------


def nested_tuples(n):
    def go(parts, k):
        (a, b), c = parts
        if k <= 0:
            return a + b * 10 + c * 100
        return go(((b, c), a), k - 1)

    return go(((1, 2), 3), n)


def new_dictionaries(n):
    def go(d, k):
        if k <= 0:
            return d
        return go({"a": d["b"] + 1, "b": d["a"]}, k - 1)

    return go({"a": 0, "b": 5}, n)


def one_set(n):
    def go(seen, k):
        if k <= 0:
            return len(seen)
        seen.add(int(k) % 3)
        return go(seen, k - 1)

    return go(set(), n)


def flags_and_texts(n):
    def go(k, done=False, why=None):
        if k < 0:
            return why, done
        if k == 3:
            return go(k - 1, True, "three")
        if k == 5:
            return go(k - 2, done, None)
        return go(k - 1, done, why)

    return go(n)


def a_number_or_none_or_a_list(n):
    def go(k, v):
        if k <= 0:
            return v
        if k == 2:
            return go(k - 1, None)
        if v is None:
            return go(k - 1, [1, 2])
        return go(k - 1, v)

    return go(n, 3)


def int_then_float(n):
    def go(k, v):
        if k <= 0:
            return v
        return go(k - 1, v / 2)

    return go(n, 1), go(n, 7)


def keys_of_a_table(n):
    table = {"a": "b", "b": "c", "c": "a"}

    def go(k, s):
        return s if k <= 0 else go(k - 1, table[s])

    return go(n, "a")


def results_of_different_kinds(n):
    def go(k):
        if k <= 0:
            return 0, [], {"d": 0}
        total, items, d = go(k - 1)
        items.append(total)
        d["d"] += 1
        return total + k, items, d

    return go(n)


def a_function_as_result(n):
    def double(v):
        return v * 2

    def negative(v):
        return -v

    def go(k):
        if k <= 0:
            return double
        if k == 1:
            return negative
        return go(k - 2)

    return go(n)(n - 3)


def one_definition_per_iteration(n):
    out = []
    for by in (1, 2, 3):

        def go(k):
            return 0 if k <= 0 else go(k - 1) + by  # noqa: B023

        out.append(go(n))
    return out


def through_a_helper(n):
    def helper(f, k):
        return f(k - 1) + 1

    def go(k):
        return 0 if k <= 0 else helper(go, k)

    return go(n)


def a_list_shared_and_given_back(n):
    store = [[1]]

    def go(k):
        if k <= 0:
            return store[0]
        first = store[0][0] + k
        found = go(k - 1)
        found.append(first)
        return found

    found = go(n)
    found.append("s")
    return go(n), store


def inner_recursion_in_a_recursion(n):
    total = 0

    def outer(k):
        nonlocal total

        def inner(j):
            nonlocal total
            if j <= 0:
                return
            total += j
            inner(j - 1)
            if j > 2:
                outer(j - 2)

        inner(k)
        if k > 0:
            outer(k - 1)

    outer(n)
    return total


def a_name_bound_on_one_path(n):
    def go(k):
        if k > 0:
            y = 5
        if k == 3 or k <= 0:
            return y
        return go(k - 1) + y

    return go(n)


@pytest.mark.parametrize(
    "function",
    [
        nested_tuples,
        new_dictionaries,
        one_set,
        flags_and_texts,
        a_number_or_none_or_a_list,
        int_then_float,
        keys_of_a_table,
        results_of_different_kinds,
        a_function_as_result,
        one_definition_per_iteration,
        through_a_helper,
        a_list_shared_and_given_back,
        inner_recursion_in_a_recursion,
        a_name_bound_on_one_path,
    ],
    ids=lambda f: f.__name__,
)
def test_arguments_and_results(function):
    assert_agrees(function, [N], integers(0, 1, 2, 4, 5))


def test_shapes_that_follow_the_depth():
    def longer(x, n):
        if n <= 0:
            return x
        return longer(paddle.concat([x, x[:1]]), n - 1)

    def shorter(x):
        if x.shape[0] <= 1:
            return x
        return shorter(x[1:]) + x[0]

    def common(x, y):
        def go(i, j):
            if i == 0 or j == 0:
                return 0
            if x[i - 1] == y[j - 1]:
                return go(i - 1, j - 1) + 1
            a, b = go(i - 1, j), go(i, j - 1)
            return a if a > b else b

        return go(x.shape[0], y.shape[0])

    assert_agrees(longer, [X, N], [(A, np.int64(n)) for n in (0, 1, 3)])
    assert_agrees(shorter, [X], [(A,), (A[:1],), (A[:0],)])
    assert_agrees(common, [X, InputSpec([None])], [(A, A[1:]), (A, A[::-1].copy()), (A[:0], A)])


def test_closure_variables_are_state_of_the_program_also_when_the_depth_raises():
    def make():
        total = 0

        def function(n):
            nonlocal total

            def go(k):
                nonlocal total
                total = total + k
                if k == 3:
                    raise ValueError("three")
                if k > 0:
                    go(k - 1)

            go(n)
            return total

        return function

    plain, static = make(), paddle.jit.to_static(make(), input_spec=[N])
    for n in (2, 1, 5, 1, 3, 0):
        given = paddle.to_tensor(np.int64(n))
        try:
            expected = int(plain(given))
        except ValueError:
            with pytest.raises(ValueError, match="three"):
                static(given)
        else:
            assert int(static(given)) == expected


def test_objects_that_refer_to_each_other_in_circles_are_told_apart():
    def function(x):
        root, kid = Box(1.0), Box(2.0)
        root.next, kid.next, kid.parent, root.parent = kid, None, root, root

        def go(v, box):
            if v.sum() > 100 or box is None:
                return v
            return go(v * box.value, box.next)

        return go(x, root)

    assert_agrees(function, [X], [(A,), (A * 100,)])


# --- errors ------------------------------------------------------------------------------------------------------------------


def without_end(n):
    if n < -5:
        return n
    return without_end(n + 1) * 2


def always(n):
    return always(n + 1)


def unused(n):
    without_end(n)
    return n


@pytest.mark.parametrize("function", [without_end, always, unused], ids=lambda f: f.__name__)
def test_too_deep_at_run_time(function):
    static = paddle.jit.to_static(function, input_spec=[N])
    with pytest.raises(RecursionError):
        function(paddle.to_tensor(np.int64(0)))
    with pytest.raises(RecursionError) as caught:
        static(paddle.to_tensor(np.int64(0)))
    assert caught.value.dy2st_loc.file == __file__


def failing(n):
    if n < 0:
        raise ValueError("negative", 3)
    if n == 5:
        raise KeyError("five")
    if n == 0:
        return 0
    return failing(n - 2) + 1


def test_exceptions_from_the_depth():
    assert_agrees(failing, [N], integers(0, 4, 3, 5, 9))
    static = paddle.jit.to_static(failing, input_spec=[N])
    with pytest.raises(ValueError, match="negative") as caught:
        static(paddle.to_tensor(np.int64(3)))
    assert caught.value.dy2st_loc.line == failing.__code__.co_firstlineno + 2


def continuation(n):
    def go(k, then):
        if k == 0:
            return then(1)
        return go(k - 1, lambda r: then(r + k))

    return go(n, lambda r: r)


def caught(n):
    try:
        return factorial(n)
    except RecursionError:
        return -1


def caught_inside(n):
    level = 0
    try:
        level = 1
        if n < -2:
            raise ValueError("low")
        level = 2
        return caught_inside(n - 1) if n != 3 else failing(n)
    except ValueError as error:
        if n > 0:
            raise
        return level, str(error)


@pytest.mark.parametrize("function", [caught, caught_inside], ids=lambda f: f.__name__)
def test_a_try_around_a_recursion(function):
    assert_agrees(function, [N], integers(0, 1, 2, 3, 4, 5))


def yielded(n):
    def count(k):
        if k > 0:
            yield k
            for v in count(k - 1):
                yield v

    total = 0
    for v in count(n):
        total = total + v
    return total


def nested_without_end(n):
    if n <= 0:
        return None
    return n, nested_without_end(n - 1)


def nested_lists_without_end(n):
    if n <= 0:
        return []
    return [n, nested_lists_without_end(n - 1)]


class Chain:
    def __init__(self, length):
        self.next = Chain(length - 1) if length else None


CHAIN = Chain(3 * limits.recursion_depth)


def python_objects(x):
    def go(v, link):
        if link is None:
            return v
        return go(v + 1, link.next)

    return go(x, CHAIN)


@pytest.mark.parametrize(
    ("function", "line", "words"),
    [
        (continuation, 4, "made anew"),
        (nested_without_end, 1, "wraps its own result"),
        (nested_lists_without_end, 1, "wraps its own result"),
        (python_objects, 4, "pass tensors, numbers, tuples or lists"),
    ],
    ids=lambda v: getattr(v, "__name__", None),
)
def test_refused_in_words(function, line, words):
    with pytest.raises(ConversionError, match=words) as error:
        program_of(function, N)
    assert f"{__file__}:{function.__code__.co_firstlineno + line}: " in str(error.value)


def test_a_generator_that_calls_itself_is_refused():
    with pytest.raises(ConversionError, match="append to a list instead of yielding") as error:
        program_of(yielded, N)
    assert str(error.value).startswith(f"{__file__}:")


# --- how often a body is staged ----------------------------------------------------------------------------------------------


def nested_functions(depth):
    """`depth` functions, each of which calls itself and the next."""
    lines = []
    for i in range(depth, 0, -1):
        rest = f"f{i + 1}(k - 1)" if i < depth else "1"
        lines += [f"def f{i}(k):", "    if k <= 0:", "        return 1", f"    return f{i}(k - 1) + {rest}", ""]
    return "\n".join(lines)


def many_calls(count):
    body = [f"    a{i} = f1(n + {i})" for i in range(count)]
    return "\n".join([nested_functions(1), "def function(n):", *body, f"    return a{count - 1}", ""])


def trials(folder, source, name):
    path = folder / f"module_{len(source)}.py"
    path.write_text(source)
    namespace = {"__name__": path.stem}
    exec(compile(source, str(path), "exec"), namespace)
    return sum(paddle.jit.to_static(namespace[name], input_spec=[N]).concrete_program.staged.stagings.values())


def test_staging_doesnt_grow_exponentially_with_recursions_inside_each_other(tmp_path):
    few, many = (trials(tmp_path, nested_functions(depth), "f1") for depth in (3, 9))
    assert many < 9 * few


def test_staging_starts_anew_once_for_a_function_called_many_times(tmp_path):
    few, many = (trials(tmp_path, many_calls(count), "function") for count in (10, 40))
    assert many < 5 * few


# --- the Program -------------------------------------------------------------------------------------------------------------


def test_the_text_form_reads_back():
    text = str(program_of(two_that_call_each_other, N))
    assert str(parse_program(text)) == text


def test_an_operation_without_use_goes_and_a_recursion_stays():
    def function(n):
        factorial(n)
        n + 1
        return n

    entry = program_of(function, N).entry
    assert [op.name for op in entry.block.ops] == ["call", "return"]


def test_functions_of_one_name_are_told_apart():
    names = list(program_of(several_calls, N).functions)
    assert names == ["main", "factorial", "factorial_1", "fibonacci"]


def test_the_graph_shows_every_function(capsys, tmp_path):
    file = tmp_path / "net.py"
    file.write_text(f"{inspect.getsource(factorial)}\n\ndef graphed(n):\n    return factorial(n)\n")
    assert cli(["graph", f"{file}:graphed", "--spec", "n=int64[]"]) == 0
    assert 'call %n, function="factorial"' in capsys.readouterr().out




def test_s1_a_recursion_through_generators_and_loops_is_as_deep_as_python_allows(monkeypatch):
    """Each call takes several frames of the runtime, of which there are more than Python's limit."""

    def fields(node):
        for name in ("left", "right"):
            try:
                yield name, node[name]
            except KeyError:
                pass

    def visit(node, visitor):
        total = 0
        for _, value in fields(node):
            if isinstance(value, dict):
                total += visitor(value, visitor)
            else:
                total += value
        return total

    monkeypatch.setattr(limits, "recursion_depth", 64)
    tree = {"right": 1}
    for _ in range(50):
        tree = {"left": tree, "right": 1}

    def top(x):
        return x * visit(tree, visit)

    limit = sys.getrecursionlimit()
    assert paddle.jit.to_static(top)(paddle.to_tensor([1.0])).numpy().tolist() == [51] and sys.getrecursionlimit() == limit
