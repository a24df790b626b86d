"""Functions that change what they are given: the caller's lists, dicts, sets and objects hold what plain Python would leave."""

import copy
import random
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field

import numpy as np
import pytest
from support.answers import Raised, answer, assert_some_answer
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError


@dataclass
class Item:
    t: object
    tags: list = field(default_factory=list)
    n: int = 0


class Plain:
    def __init__(self):
        self.calls, self.log = 0, []


class Stack(list):
    def push(self, x):
        self.append(x)
        return len(self)


def t(*numbers):
    return paddle.to_tensor(np.array(numbers, "float32"))


def appended(xs, x):
    xs.append(x * 2)
    return len(xs)


def appended_on_one_path(xs, x):
    if x.sum() > 0:
        xs.append(x)
    else:
        xs[0] = x
    return xs[0] + xs[-1]


def chosen_on_one_path(xs, x):
    u = xs if x.sum() > 0 else [x]
    u.append(x)
    return len(u), len(xs)


def appended_in_a_loop(xs, x):
    for row in x:
        xs.append(row + xs[-1].sum())
    return xs[-1]


def emptied_while(xs, x):
    total = x.sum() * 0
    while len(xs) > 1:
        total = total + xs.pop().sum()
    return total


def cached(cache, x):
    if "k" in cache:
        cache["k"] = paddle.concat([cache["k"], x])
    else:
        cache["k"] = x
    cache["n"] = cache.get("n", 0) + 1
    return cache["k"].sum()


def attributes(item, x):
    item.n += 1
    if x.sum() > 0:
        item.t = item.t + x
        item.tags.append(item.n)
    return item.t * len(item.tags)


def nested(pair, x):
    pair[0].append([x])
    pair[0][-1].append(x * 2)
    pair[1]["last"] = pair[0][-1]
    return pair[1]["last"][1]


def raised_later(xs, x):
    xs.append(x)
    if x.sum() > 0:
        raise ValueError("positive")
    xs.append(x)
    return xs[2]


def raised_by_an_index(xs, x):
    xs.append(x)
    return xs[9]


def under_another_name(xs, x):
    ys = xs if x.sum() > 0 else [x]
    ys.append(x)
    return len(ys)


def by_a_helper(xs, x):
    appended(xs, x)
    return appended(xs, x + 1)


def deque_on_one_path(xs, x):
    if x.sum() > 0:
        xs.appendleft(x)
    return xs[0]


def counted(counts, x):
    for row in x:
        counts["up" if row > 0 else "down"] += 1
    return counts["up"]


def kept_apart(ids, x):
    if x.sum() > 0:
        ids.add(len(ids))
    return len(ids)


def pushed(stack, x):
    if x.sum() > 0:
        stack.push(x)
    return stack[-1] * len(stack)


def counted_on_a_plain_object(box, x):
    box.calls += 1
    box.log.append(box.calls)
    return x * box.calls


def replaced_in_place(xs, x):
    xs[0].add_(x)
    xs.reverse()
    return xs[0]


CASES = [
    (appended, lambda: [t(1, 2)]),
    (appended_on_one_path, lambda: [t(1, 2)]),
    (chosen_on_one_path, lambda: [t(1, 2)]),
    (appended_in_a_loop, lambda: [t(1, 2)]),
    (emptied_while, lambda: [t(1, 2), t(3), t(4)]),
    (cached, lambda: {}),
    (cached, lambda: OrderedDict(k=t(5, 6))),
    (attributes, lambda: Item(t(1, 2))),
    (nested, lambda: ([], {"first": t(1)})),
    (raised_later, lambda: [t(1, 2)]),
    (raised_by_an_index, lambda: [t(1, 2)]),
    (under_another_name, lambda: [t(1, 2)]),
    (by_a_helper, lambda: []),
    (deque_on_one_path, lambda: deque([t(1, 2)], maxlen=3)),
    (counted, lambda: Counter(up=1)),
    (kept_apart, lambda: {7}),
    (pushed, lambda: Stack([t(1, 2)])),
    (counted_on_a_plain_object, Plain),
    (replaced_in_place, lambda: [t(1, 2), t(3, 4)]),
]
FED = [t(1, 2), t(-3, -4), t(5, 6)]


def shown(value):
    """A value as text: tensors by what they hold, objects by their attributes."""
    if isinstance(value, paddle.Tensor):
        return str(value.numpy().tolist())
    if isinstance(value, dict):
        return f"{type(value).__name__}{[(k, shown(v)) for k, v in value.items()]}"
    if isinstance(value, list | tuple | deque | set):
        return f"{type(value).__name__}{list(map(shown, value))}"
    return f"{type(value).__name__}{shown(vars(value))}" if isinstance(value, Item | Plain) else str(value)


def run(function, given, fed):
    """What calls of a function give, one after the other on the same argument, and what it holds after each."""
    return [(answer(function, given, x.clone()), shown(given)) for x in fed]


def assert_same(found, expected):
    assert_some_answer([value for value, _ in expected])
    assert [(shown(a), b) for a, b in found] == [(shown(a), b) for a, b in expected]


@pytest.mark.parametrize(("function", "given"), CASES, ids=lambda x: x.__name__)
def test_what_is_given_ends_as_in_plain_python(function, given):
    expected = run(function, given(), FED)
    if function is raised_by_an_index:
        expected.append((answer(appended, [], t(1)), ""))  # every call of it raises
    found = run(paddle.jit.to_static(function), given(), FED)
    assert_same([*found, *expected[len(found) :]], expected)


SAVED = [case for case in CASES if case[0] not in (attributes, counted_on_a_plain_object, pushed, raised_by_an_index)]


@pytest.mark.parametrize(("function", "given"), SAVED, ids=lambda x: x.__name__)
def test_a_saved_function_changes_it_as_well(function, given, tmp_path):
    static = paddle.jit.to_static(function)
    answer(static, given(), t(-1, -2))
    paddle.jit.save(static, tmp_path / "f")
    example = given()
    expected = [(answer(function, example, x), shown(example)) for x in FED[:1]]
    example = given()
    found = [(answer(paddle.jit.load(tmp_path / "f"), example, x), shown(example)) for x in FED[:1]]
    assert [(shown(a), b) for a, b in found] == [(shown(a), b) for a, b in expected]


def test_an_object_that_a_saved_function_would_change_is_refused(tmp_path):
    static = paddle.jit.to_static(attributes)
    static(Item(t(1, 2)), t(1, 2))
    with pytest.raises(ConversionError, match="the argument item is changed, and is or holds an object"):
        paddle.jit.save(static, tmp_path / "f")


def test_a_loaded_function_refuses_what_it_cannot_change(tmp_path):
    static = paddle.jit.to_static(appended)
    static([t(1, 2)], t(1, 2))
    paddle.jit.save(static, tmp_path / "f")
    with pytest.raises(TypeError, match=r"argument xs is a tuple that isn't a list<float32\[\?\]>"):
        paddle.jit.load(tmp_path / "f")((t(1, 2),), t(1, 2))


def test_a_loaded_function_changes_a_list_of_the_recording_that_calls_it(tmp_path):
    static = paddle.jit.to_static(appended)
    static([t(1, 2)], t(1, 2))
    paddle.jit.save(static, tmp_path / "f")
    loaded = paddle.jit.load(tmp_path / "f")

    def outer(x):
        xs = [x]
        loaded(xs, x)
        return xs

    assert shown(paddle.jit.to_static(outer)(t(1, 2))) == "list['[1.0, 2.0]', '[2.0, 4.0]']"


def test_tensors_that_stay_are_the_same_objects():
    weight = paddle.create_parameter([2], "float32")
    first, xs = t(1, 2), []
    xs += [first, weight]
    paddle.jit.to_static(appended)(xs, t(3, 4))
    assert xs[0] is first and xs[1] is weight


def test_parameters_in_state_stay_the_same_objects():
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.held = [paddle.create_parameter([2], "float32")]

        def forward(self, x):
            self.held.append(x)
            return x * len(self.held)

    net = Net()
    weight = net.held[0]
    paddle.jit.to_static(net)(t(1, 2))
    assert net.held[0] is weight and not weight.stop_gradient


def test_one_list_given_twice_is_one():
    def told(xs, ys, x):
        xs.append(x)
        return len(ys), xs is ys

    static, shared = paddle.jit.to_static(told), [t(1)]
    assert shown(static(shared, shared, t(2))) == "tuple['2', 'True']"
    assert shown(static([t(1)], [t(1)], t(2))) == "tuple['1', 'False']"


def test_a_list_that_is_part_of_two_arguments_is_one():
    def told(rows, row, x):
        row.append(x)
        rows[0].append(x * 2)
        return len(rows[0]), row[-1]

    row = [t(1)]
    assert shown(paddle.jit.to_static(told)([row], row, t(3))) == "tuple['3', '[6.0]']"
    assert shown(row) == "list['[1.0]', '[3.0]', '[6.0]']"


def test_gradients_flow_through_what_is_left_and_what_was_given():
    weight, x = paddle.create_parameter([2], "float32"), t(2, 3)
    x.stop_gradient = False

    def left(outs, x):
        outs.append(weight * x)
        return outs[0].sum()

    outs = [x * 2]
    static = paddle.jit.to_static(left)
    (static(outs, t(1, 1)) + outs[1].sum()).backward()
    assert x.grad.tolist() == [2, 2] and weight.grad.tolist() == [1, 1]


def test_a_list_that_grows_by_each_call_is_one_program():
    static, xs = paddle.jit.to_static(appended), []
    lengths = [int(static(xs, t(1, 2))) for _ in range(6)]
    assert lengths == [1, 2, 3, 4, 5, 6]
    assert len(static.program_cache) <= 2  # of the empty list nothing is known


@pytest.mark.parametrize("other", [[t(1, 2, 3)], [3], [paddle.ones([2], "int64")], [[t(1, 2)]], deque([t(1, 2)]), [None]])
def test_a_list_of_other_things_is_another_program(other):
    def doubled(xs, x):
        xs.append(x)
        return xs[0] if isinstance(xs[0], list | None) else xs[0] * 2

    static, plain = paddle.jit.to_static(doubled), copy.deepcopy(other)
    static([t(1, 2)], t(1, 2))
    assert shown(static(other, t(1, 2))) == shown(doubled(plain, t(1, 2)))
    assert shown(other) == shown(plain)


def test_equal_dataclasses_share_a_program_and_nothing_else():
    static, items = paddle.jit.to_static(attributes), [Item(t(1, 2)), Item(t(1, 2))]
    static(items[0], t(1, 1))
    static(items[0], t(1, 1))
    static(items[1], t(1, 1))
    assert [(item.n, item.tags) for item in items] == [(2, [1, 2]), (1, [1])]


STATEMENTS = (
    "xs.append(x)",
    "xs.append(xs[0] + x)",
    "d['k'] = x",
    "d[str(len(xs))] = xs[-1]",
    "item.n += len(xs)",
    "item.t = xs[-1] * 2",
    "item.tags.append(x)",
    "xs[0] = item.t",
    "xs.insert(0, d.get('k', x))",
    "d.pop('k', None)",
    "item.tags = [x]",
    "xs, item.tags = item.tags + [x], xs",
    "xs.extend(item.tags)",
    "del xs[1:]",
    "x = x + item.n",
)
HEADS = ("if x.sum() > 0:", "for row in x:", "while len(xs) < 4 and item.n < 9:", "if len(xs) > 2:", "if x.sum() > item.n:")


def random_source(seed):
    draw = random.Random(seed)
    lines = ["def f(xs, d, item, x):"]
    for _ in range(draw.randint(2, 5)):
        if draw.random() < 0.5:
            head = draw.choice(HEADS)
            body = draw.sample(STATEMENTS, 2) + (["item.n += 1"] if head.startswith("while") else [])
            lines += [f"    {head}", *(f"        {line}" for line in body)]
            lines += ["        if len(xs) > 9: break"] if head.startswith(("for", "while")) else []
        else:
            lines.append(f"    {draw.choice(STATEMENTS)}")
    return "\n".join([*lines, "    return x.sum() + len(xs) + len(d) + item.n"])


@pytest.mark.long
@pytest.mark.parametrize("seed", sampled(range(300), 12))
def test_random_changes(seed, tmp_path):
    source, path = random_source(seed), tmp_path / "changes.py"
    path.write_text(source)
    namespace = {}
    exec(compile(source, path, "exec"), namespace)
    static = paddle.jit.to_static(namespace["f"])
    first = ([t(1, 2), t(3, 4)], {"k": t(5, 6)}, Item(t(7, 8)))
    plain, staged = copy.deepcopy(first), copy.deepcopy(first)
    for x in FED:
        expected = answer(namespace["f"], *plain, x.clone())
        found = answer(static, *staged, x.clone())
        if isinstance(found, Raised) and found.kind in ("ConversionError", "EndlessTypeError"):
            pytest.skip(f"refused: {found.text[:120]}")
        assert shown(found) == shown(expected), source
        assert shown(staged) == shown(plain), source
