"""Control flow, containers and objects around tensors that are written in place: functionalized, they do what Python does."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from func.test_functionalize import MODES, agree, flat, t

import dy2st
from dy2st.func import functionalize
from dy2st.passes.functionalize import FunctionalizeError

MATRIX = np.arange(12, dtype="float32").reshape(3, 4) - 5


def listed(x):
    xs, i = [], dy2st.zeros([], "int64")
    while i < 2:
        xs.append(x)
        i = i + 1
    return xs


def written_on_one_path(a):
    y = a
    if a.sum() > 0:
        y = a * 2
    y.add_(1)
    return a, y


def a_view_of_either(a):
    b = a * 2
    if a.sum() > 0:
        b.add_(1)
        z = b[0]
    else:
        z = b[1]
    z.multiply_(3)
    return b, z


def a_view_by_an_index_of_the_branch(a):
    b = a * 1
    row = b[0]
    if a.sum() > 0:
        i = (a > 0).astype("int64").sum() % 3
        row = b[i]
    row.add_(1)
    b.multiply_(2)
    return b, row


def a_branch_that_raises(a):
    b = a * 1
    if a.sum() > 1000:
        raise ValueError("too large")
    else:
        b.add_(1)
        inner = b[0]
    inner.fill_(4)
    return b


def rows_of_what_was_there(a):
    acc, i = a * 0, dy2st.zeros([], "int64")
    while i < 3:
        acc[i] = a[i] * 2
        i = i + 1
    return acc


def starts_as_the_input(a):
    y, i = a, dy2st.zeros([], "int64")
    while i < 3:
        y.add_(1)
        y = y * 2
        i = i + 1
    y.add_(1)
    return a, y


def no_turn(a):
    y, i = a, dy2st.zeros([], "int64")
    while a.sum() + i > 1000:
        y = y * 2
        i = i + 1
    y.add_(1)
    return a, y


def two_that_follow_each_other(a):
    now, before, i = a * 1, a * 0, dy2st.zeros([], "int64")
    while i < 3:
        before, now = now, now * 2
        now.add_(before[0])
        i = i + 1
    return now, before


def nested(a):
    b, i = a + 0, dy2st.zeros([], "int64")
    while i < 3:
        j = dy2st.zeros([], "int64")
        while j < 4:
            if b[i, j] > 0:
                b[i, j] = -b[i, j]
            else:
                b[i].add_(1)
            j += 1
        i += 1
    return b


def a_tuple_is_carried(a):
    pair, i = (a * 1, a * 2), dy2st.zeros([], "int64")
    while i < 3:
        pair = (pair[1] + 1, pair[0] * 2)
        pair[0][1].add_(3)
        i += 1
    return pair


def tuples_change_places(a):
    t = (a * 1, a * 2)
    t[0].add_(1)
    p = t
    if a.sum() > 0:
        p = (t[1], t[0])
    p[0].multiply_(2)
    return t, p


def none_or_a_tensor(a):
    y = None
    if a.sum() > 0:
        y = a * 2
    if y is not None:
        y.add_(1)
        a.subtract_(y)
    return a


def a_list_that_grows(a):
    xs, i = [], dy2st.zeros([], "int64")
    while i < 3:
        h = a[i] * 2
        h.add_(1)
        xs.append(h)
        i = i + 1
    xs[0].add_(5)
    return dy2st.stack(xs), xs


def a_dict(a):
    d, i = {"x": a * 1}, dy2st.zeros([], "int64")
    while i < 2:
        d["x"][0].add_(1)
        if i > 0:
            d["y"] = d["x"] * 2
        i = i + 1
    return d["x"]


class Box:
    pass


def an_object(a):
    box, i = Box(), dy2st.zeros([], "int64")
    box.v = a * 1
    while i < 3:
        box.v.add_(1)
        if i > 1:
            box.v = box.v * 2
        i = i + 1
    return box.v


def a_handler_sees_what_was_written(a):
    b = a * 1
    i = a.sum().astype("int64")
    try:
        b.add_(1)
        b[0] = b[0, i]
        b.add_(2)
    except IndexError:
        b.multiply_(2)
    finally:
        b[1].add_(7)
    return b


def caught_in_a_loop(a):
    b, i = a * 1, dy2st.zeros([], "int64")
    while i < 6:
        try:
            b[0].add_(1)
            b[i].multiply_(2)
        except IndexError:
            b.subtract_(1)
        i = i + 1
    return b


def helper(x, y):
    x.add_(1)
    return x[0], y


def calls(a):
    b = a * 1
    row, same = helper(b, b)
    row.multiply_(2)
    same[1].fill_(0)
    return b


def recursion(a):
    if a.abs().sum() > 1000:
        return a
    y = a * 2
    y.add_(1)
    return recursion(y)


def recursion_that_writes(a):
    b = a * 1
    halve(b, 3)
    return b


def halve(x, n):
    if n > 0 and x.sum() > 1:
        x.multiply_(0.5)
        x[0].subtract_(1)
        halve(x, n - 1)
    return x


def recursion_on_the_input(a):
    return double(a) * 1


def double(x):
    if x.abs().sum() < 1000:
        x.add_(x)
        x[0, 0] = 1
        return double(x)
    return x


def masks_and_index_tensors(a):
    b = a * 1
    b[b > 0] = 9
    b[dy2st.to_tensor([0, 2])] += 1
    view = b.t()
    view[1] = b[0, 0]
    return b, view


def gradients_stop(a):
    b = a * 2
    with dy2st.no_grad():
        b.detach().add_(1)
    return b


def written_once_it_is_in_a_list(a):
    xs, i = [], dy2st.zeros([], "int64")
    h = a * 1
    while i < 2:
        xs.append(h)
        i = i + 1
    h.add_(1)
    return xs[0]


def an_alias_of_an_element(a):
    xs, i = [], dy2st.zeros([], "int64")
    h = a * 1
    while i < 2:
        xs.append(h)
        i = i + 1
    xs[0].add_(1)
    return h


def an_input_in_a_list(a):
    xs, i = [], dy2st.zeros([], "int64")
    while i < 2:
        xs.append(a)
        i = i + 1
    xs[0].add_(1)
    return a * 1


def another_name_is_carried(a):
    y, z, i = a * 1, a * 2, dy2st.zeros([], "int64")
    while i < 2:
        y.add_(1)
        y = z
        i = i + 1
    return y, z


def a_condition_that_writes(a):
    b = a * 1
    while b.add_(1).sum() < 100:
        a = a + 1
    return a


def one_tensor_in_two_places(a):
    xs, i = [], dy2st.zeros([], "int64")
    h = a * 1
    while i < 2:
        xs.append(h)
        i = i + 1
    xs[0].add_(1)
    return xs[0] * 1, xs[1] * 1


def views_in_a_list(a):
    xs, b, i = [], a * 1, dy2st.zeros([], "int64")
    while i < 3:
        xs.append(b[i])
        xs.append(b[::-1].t()[2 - i])
        i = i + 1
    xs[0].add_(1)
    xs[1].multiply_(2)
    b.subtract_(3)
    return xs, b


def elements_of_a_dict_and_an_object(a):
    box, d, i = Box(), {"x": a * 1}, dy2st.zeros([], "int64")
    box.v = d["x"]
    while i < 3:
        d["x"].add_(1)
        if i > 0:
            box.v = d["x"][1]
        box.v.multiply_(2)
        i = i + 1
    return d["x"], box.v


def one_object_or_another(a):
    box = Box()
    box.v = a * 1
    other = box
    if a.sum() > 0:
        other = Box()
        other.v = box.v[1:]
    other.v.add_(1)
    box.v.multiply_(2)
    return box.v, other.v


def lists_in_a_list(a):
    xs = listed(a * 1)
    ys, i = [xs, xs], dy2st.zeros([], "int64")
    while i < 2:
        ys[i][0].add_(1)
        ys.append([xs[1]])
        i = i + 1
    return ys, xs


def a_callee_that_calls_itself(a):
    b = a * 1
    c = climb(b, b[0:3])
    c.add_(1)
    return b, c


def climb(t, u):
    if t.sum() < 300:
        t.add_(10)
        u.multiply_(1.5)
        return climb(u, t)
    return t


def what_a_handler_finds(a):
    xs = listed(a)
    try:
        xs[0].add_(1)
        xs[5].add_(1)
    except IndexError:
        xs[1].multiply_(2)
    finally:
        a[0].fill_(3)
    return xs


def one_of_several_by_an_index(a, b):
    xs, i = [a, b, a * 3], dy2st.zeros([], "int64")
    while i < 3:
        xs[i].add_(1)
        xs[(a[1].sum() + i).astype("int64") % 3][0].fill_(4)
        i = i + 1
    return dy2st.stack(xs), xs


def bound_in_a_try(a):
    b, y = a * 1, a * 2
    i = a.sum().astype("int64")
    try:
        y = b
        y.add_(1)
        y[i].multiply_(2)
        y = y[0]
    except IndexError:
        b.subtract_(1)
    y.fill_(3)
    return b, y


PARTS = (helper, halve, double, climb, listed, Box)
CONSTRUCTS = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__ and f not in PARTS]


@pytest.mark.parametrize("f", CONSTRUCTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("remove", MODES)
@pytest.mark.filterwarnings("ignore")
def test_constructs(f, remove):
    for offset in (0, 20, -30):
        agree(f, *[MATRIX + offset] * f.__code__.co_argcount, remove=remove)


def test_unknown_lengths():
    def f(a):
        b = a * 1
        b[1:].t()[0].add_(1)
        b.reshape([-1]).multiply_(2)
        b.unsqueeze(0)[0, 0] = 3
        return b

    from dy2st.jit import to_static
    from dy2st.passes.functionalize import functionalize_program
    from dy2st.runtime.engine import compile_program
    from dy2st.static import InputSpec

    staged = to_static(f, input_spec=[InputSpec([None, 4], "float32")]).concrete_program.staged.program
    run = compile_program(functionalize_program(staged))
    for rows in (2, 5):
        given = np.arange(rows * 4, dtype="float32").reshape(rows, 4)
        np.testing.assert_array_equal(run(given.copy()), f(t(given)).numpy())


def test_state_of_a_layer():
    class Counting(dy2st.nn.Layer):
        def __init__(self):
            super().__init__()
            self.total = dy2st.zeros([2])
            self.norm = dy2st.nn.BatchNorm1D(2)

        def forward(self, x):
            self.total = self.total * 2
            self.total.add_(x.sum())
            y = self.norm(x)
            self.total[0] = 5
            return y + self.total

    static, plain = Counting(), Counting()
    call = functionalize(static, lift=True)
    for k in range(3):
        x = np.random.default_rng(k).random((3, 2)).astype("float32")
        np.testing.assert_array_equal(call(t(x)).numpy(), plain(t(x)).numpy())
        for mine, theirs in zip(flat([static.total, static.norm._mean]), flat([plain.total, plain.norm._mean])):
            np.testing.assert_array_equal(mine, theirs)


def test_a_list_that_is_kept_from_call_to_call():
    class Keeps(dy2st.nn.Layer):
        def __init__(self):
            super().__init__()
            self.seen = []

        def forward(self, x):
            self.seen.append(x * 1)
            self.seen.append(self.seen[0])
            if x.sum() > 0:
                self.seen[1].add_(1)
            return self.seen[0] + self.seen[-1]

    static, plain = Keeps(), Keeps()
    call = functionalize(static)
    for offset in (0, 20):
        np.testing.assert_array_equal(call(t(MATRIX + offset)).numpy(), plain(t(MATRIX + offset)).numpy())
    with pytest.raises(FunctionalizeError, match="since the function keeps it, .* from call to call; write into a clone"):
        functionalize(Keeps(), lift=True)(t(MATRIX))


# --- what is refused ---------------------------------------------------------------------------------------------------


BESIDE = {  # what else a function gives, of one kind with the pair that a reference is, or with nothing of it
    "a tensor and a number": lambda y, i: (y, i),
    "two tensors": lambda y, i: (y, y[0]),
    "a number and a tensor": lambda y, i: (i, y),
    "a tensor alone in a tuple": lambda y, i: (y,),
    "a list": lambda y, i: [y, i],
    "a pair of pairs": lambda y, i: ((y, i), (i, y)),
    "nothing": lambda y, i: None,
}


@pytest.mark.parametrize("remove", MODES)
@pytest.mark.parametrize("times", [0, 1, 3])
@pytest.mark.parametrize("other", BESIDE.values(), ids=BESIDE)
def test_a_written_tensor_or_something_else(other, times, remove):
    """Whose memory it is only the run knows: references stand for the tensors, and for no tuple of the user's."""

    def f(x, n):
        for i in range(n):
            while x.sum() < 0:
                x.add_(1)
                return x
            else:
                return other(x, i)

    mine, theirs = t(MATRIX), t(MATRIX)
    for _ in range(3):  # with a sum below 0 and above
        got, expected = functionalize(f, remove=remove)(mine, dy2st.to_tensor(times)), f(theirs, times)
        assert type(got) is type(expected)
        for a, b in zip(flat(got), flat(expected), strict=True):
            np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(mine.numpy(), theirs.numpy())


def a_reshape_of_what_may_lie_in_any_order(a):
    xs = listed(a.t() + 1)
    flat = xs[0].reshape([-1])
    xs[1].add_(1)
    return flat


def an_expanded_name(a):
    b = a * 1
    xs, wide = listed(b), b.expand([2, 3, 4])
    xs[1].add_(1)
    return wide


def a_detached_name(a):
    b = a * 1
    xs, other = listed(b), b.detach()
    xs[1].add_(1)
    return other


def an_operator_that_looks_into_a_list(a):
    xs = listed(a * 1)
    xs[0].add_(1)
    ys = copy.deepcopy(xs)
    ys[0].add_(1)
    return ys


REFUSED = {
    a_reshape_of_what_may_lie_in_any_order: "reshape gives a view or a copy, .* write `x.clone..` in place of x",
    an_expanded_name: "broadcast_to gives another name to memory that is written in place; write `x.clone..` in place of x",
    a_detached_name: "detach gives another name to memory that is written in place; write `x.detach...clone..`",
    an_operator_that_looks_into_a_list: "copy.deepcopy deals with tensors that are written under several names",
}


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_is_refused(f):
    with pytest.raises(FunctionalizeError, match=rf"test_constructs.py:\d+: functionalize: {REFUSED[f]}"):
        functionalize(f)(t(MATRIX))
