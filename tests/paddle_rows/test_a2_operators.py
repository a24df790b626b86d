"""a.2: what converted code calls at branches, loops, operators and built-ins."""

from __future__ import annotations

import types

import numpy as np
import pytest
from limits.agree import COUNTS, NUMBER, ROW, UP, VECTOR, as_programs, assert_agrees, on_x, on_xn, outcome, plain

import dy2st as paddle
import dy2st.nn as nn
from dy2st.errors import JoinWarning
from dy2st.static import InputSpec

from . import asserting

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")
X, N = paddle.to_tensor(UP), paddle.to_tensor(np.int64(2))


def static_of(function, specs=(VECTOR, NUMBER)):
    return paddle.jit.to_static(function, input_spec=list(specs))


# --- convert_ifelse ---------------------------------------------------------------------------------------------------------


def test_a2_01_a_python_condition_runs_one_branch():
    ran = []

    def chosen(x, flag=True):
        if flag:
            ran.append("then")
            return x + 1
        ran.append("else")
        return x - 1

    assert plain(paddle.jit.to_static(chosen)(X, False)) == plain(X - 1)
    assert set(ran) == {"else"} and "if" not in str(paddle.jit.to_static(chosen).get_concrete_program(X).program)


def both_branches(x, n):
    items, k, found = [x], 1, {"a": x}
    if n > 1:
        items.append(x + 1)
        k = k + 1
        found["a"] = x * 2
    else:
        items.append(x - 1)
        items.append(k)
        k = k + 10
        found["b"] = k
    return items, k, found


def test_a2_02_both_branches_start_from_the_same_values():
    on_xn(both_branches)


def equal_constants(x, n):
    if n > 1:
        a, b, c, s = 3, 1.5, True, "s"
    else:
        a, b, c, s = 3, 1.5, True, "s"
    return [x] * a, b, c, s, range(a)[a - 1]


def test_a2_03_equal_constants_stay_constants():
    on_xn(equal_constants)
    assert "if" not in str(static_of(equal_constants).concrete_program.program)


def differing_constants(x, n):
    if n > 1:
        a, b, c = 3, 1.5, True
    else:
        a, b, c = 4, 2.5, False
    return x * a, a, b, c, isinstance(a, int), isinstance(b, float), c is True


def test_a2_04_differing_constants_stay_numbers():
    """They become numbers of the Program, not tensors, and nothing is lost that a warning would have to tell."""
    on_xn(differing_constants)


def tensor_and_number(x, n):
    if n > 1:
        y = x.sum()
    else:
        y = 2
    return y * 1.0, x + y


def test_a2_05_a_tensor_and_a_number_are_promoted_with_a_warning():
    with pytest.warns(JoinWarning, match="int, on another float32"):
        static_of(tensor_and_number).concrete_program  # noqa: B018
    on_xn(lambda x, n: tensor_and_number(x, n)[1])


def bound_on_one_side(x, n):
    if n > 1:
        y = x + 1
    if n > 3:
        return y
    return x


def bound_on_the_other(x, n):
    if n > 1:
        y = x + 1
    return y


def test_a2_06_a_name_bound_on_one_side_is_an_error_where_it_is_read():
    """Python's error on the path where it is unbound; there is nothing to warn of."""
    on_xn(bound_on_one_side)
    on_xn(bound_on_the_other)


def none_or_value(x, n):
    y = None
    if n > 1:
        y = x + 1
    elif n == 1:
        y = "one"
    return y, y is None


def test_a2_07_none_and_a_value():
    """One value that is one of several: what Paddle warns of comes out as in Python."""
    on_xn(none_or_value)


class Thing:
    def __init__(self, v):
        self.v = v


def of_different_structure(x, n):
    if n > 3:
        return [x]
    if n > 1:
        return x, [x, x]
    if n > 0:
        return {"k": x}
    return "text"


def misused(x, n):
    if n > 1:
        y = [x]
    else:
        y = x.sum() > 0
    return y.append(x)


def test_a2_08_structures_that_differ():
    """They are one value of several kinds; using one as what it isn't raises Python's error on that path."""
    on_xn(of_different_structure)
    static = static_of(misused)
    assert static(X, N) is None
    with pytest.raises(AttributeError, match="append"):
        static(X, paddle.to_tensor(np.int64(0)))


def nested_values(x, n):
    if n > 1:
        found = {"a": [x, (x + 1, 2)], "b": {"c": x}}
    else:
        found = {"a": [x * 2, (x, 3)], "b": {"c": x - 1}}
    return found


def test_a2_09_nested_structures_are_chosen_item_by_item():
    on_xn(nested_values)


def half_in_one_branch(x, n):
    if n > 1:
        y = x.astype("float16")
    else:
        y = x
    return (y * 2).astype("float32"), y.astype("float32")


def test_a2_10_half_precision_in_one_branch():
    assert_agrees(half_in_one_branch, (VECTOR, NUMBER), COUNTS[1:3])
    program = str(static_of(half_in_one_branch).concrete_program.program)
    assert "cast" in program and "float16" in program


# --- convert_while_loop -------------------------------------------------------------------------------------------------------


def python_loop(x, n):
    i = 0
    while i < 3:
        x = x + i
        i += 1
    return x, i, [x] * i


def tensor_loop(x, n):
    i, half, flag = 0, 0.5, False
    while n > 0:
        i, half, flag = i + 1, half / 2, not flag
        n = n - 1
    return i, half, flag, [x] * i


def becomes_a_tensor(x, n):
    i = True
    while i:
        x = x + 1
        i = x.sum() < 20
    return x


def test_a2_11_a_loop_is_pythons_or_the_programs():
    on_xn(python_loop)
    assert "while" not in str(static_of(python_loop).concrete_program.program)
    on_xn(tensor_loop)
    on_xn(becomes_a_tensor)


def first_bound_in_the_loop(x, n):
    while n > 0:
        y = x * n
        pair = [y, (n, {"k": y})]
        n = n - 1
    return y, pair


def test_a2_12_a_name_that_the_loop_binds_first():
    on_xn(first_bound_in_the_loop)


class WithProperty(nn.Layer):
    def __init__(self):
        super().__init__()
        self.scale = 2
        self.seen = None

    @property
    def double(self):
        return self.scale * 2

    def forward(self, x, n):
        i = while_condition_0 = None
        while n > 0:
            x = x + self.double
            self.seen = x if self.seen is None else self.seen + 1
            i, while_condition_0 = n, i
            n = n - 1
        return x, i, while_condition_0, self.seen


def test_a2_13_none_names_of_ours_and_properties():
    eager = [plain(WithProperty()(X, n)) for n in (N, N * 0, N + 1)]
    static = [plain(paddle.jit.to_static(WithProperty())(X, n)) for n in (N, N * 0, N + 1)]
    assert eager == static


def containers(x, n):
    found, pair, state = {"a": x, "n": 0}, [x, 1], (x, [x])
    while n > 0:
        found["a"] = found["a"] + 1
        found["n"] += 1
        pair[0], pair[1] = pair[0] * 2, pair[1] + 1
        state = (state[0] + 1, [state[1][0] * 2])
        n = n - 1
    return found, pair, state


def test_a2_14_dicts_and_lists_as_loop_variables():
    on_xn(containers)


GLOBAL = []


class Owner:
    def __init__(self):
        self.l = []
        self.inner = types.SimpleNamespace()


class Kept(nn.Layer):
    def __init__(self):
        super().__init__()
        self.l = []

    def forward(self, x, n):
        self.l = []
        for i in range(n):
            self.l.append(x + i)
        return self.l


def lists(x, n):
    a, b, o = [x], [], Owner()
    while n > 0:
        a.append(x * n)
        b.append(n)
        o.l.append(x)
        if n > 2:
            a.pop()
        n = n - 1
    if x.sum() > 0:
        b.append(7)
    last = a.pop()
    return a, a[0], a[-1:], len(a), len(b), b, o.l, last, paddle.stack([x, *a]), paddle.concat(a + [x])


def appends_globally(x, n):
    for i in range(n):
        GLOBAL.append(i)
    return len(GLOBAL)


def test_a2_15_append_and_pop_in_staged_control_flow():
    on_xn(lists)
    eager, static = Kept(), paddle.jit.to_static(Kept())
    assert plain(eager(X, N)) == plain(static(X, N)) == plain(static.l)


def test_a2_15_a_global_list():
    """It is the Program's state: the static function appends to the live list."""
    GLOBAL.clear()
    static = static_of(appends_globally)
    assert [int(static(X, N)), int(static(X, N)), GLOBAL] == [2, 4, [0, 1, 0, 1]]
    GLOBAL.clear()


# --- operators and built-ins ---------------------------------------------------------------------------------------------------


def test_a2_16_logical_operators():
    def logical(x, n):
        evaluated = []

        def seen(v, name):
            evaluated.append(name)
            return v

        a = False and seen(x.sum() > 0, "right of False")
        b = seen(n > 1, "left") and seen(True, "right of a tensor")
        c = seen(n > 1, "left of or") or seen(False, "right of or")
        return a, b, c, not n, evaluated

    on_xn(logical)


def lengths(x, n):
    items = []
    while n > 0:
        items.append(x)
        n = n - 1
    return len(x), len([1, 2]), len(items), len("ab"), len({"a": 1}), [0] * len(items)


def test_a2_17_len():
    on_xn(lengths)
    with pytest.raises(TypeError, match="(?i)0-d"):
        static_of(lambda x, n: len(n)).concrete_program  # noqa: B018


def zips(x, n):
    total = x.sum() * 0
    for a, b, c in zip(x, x * 2, range(n)):
        total = total + a * b + c
    return total, [a + b for a, b in zip([x, x + 1], (1, 2, 3))]


def test_a2_18_zip_of_unknown_lengths():
    """Paddle refuses it."""
    on_xn(zips)


def enumerates(x, n):
    total = x.sum() * 0
    for i, v in enumerate(x):
        total = total + i * v
    for i in range(n):
        total = total + i
    for i in range(1, n * 2, n):
        total = total + i
    for i, v in enumerate([10, x.sum()]):
        total = total + v * i
    return total, list(range(n)), len(range(n, 7))


def test_a2_19_enumerate_and_range():
    on_xn(enumerates, COUNTS[1:])
    on_xn(lambda x, n: list(range(0, 3, n)))  # also a step of zero


def unpacked(x, n):
    total = x.sum() * 0
    for k in {"a": 1, "b": 2}.values():
        total = total + k
    for i, (a, [b, c]) in ((i, (x, [i, x])) for i in range(n)):
        total = total + (a * b).sum() + c.max() * i
    for v in sorted({3, 1, 2}):
        total = total * v
    for row in x.reshape([1, -1]):
        total = total + row.sum()
    a, (b, *rest) = n, (x, 1, 2)
    return total, a, b, rest


def test_a2_20_what_can_be_iterated_and_unpacked():
    on_xn(unpacked)


def shape_of(x):
    rows, columns = x.shape
    return rows, columns, x.shape[-1], x.shape[:1], paddle.zeros([rows, 2]), rows * columns == x.size, x.shape[0] + 1


def test_a2_21_shapes():
    assert_agrees(shape_of, (InputSpec([None, 3]),), [(ROW,), (np.ones([2, 3], np.float32),)])


def var_dtypes(x, n):
    return int(n), float(n), bool(n), x.astype("int32"), int(x.max()), float("3"), int(True), x.astype("complex64").real()


def test_a2_22_casts_of_variables():
    on_xn(var_dtypes)
    with pytest.raises(ValueError, match="size 1|one element"):
        float(X)


def test_a2_22_a_cast_of_many_elements_is_elementwise_with_a_warning():
    """An int is int64 wherever it becomes a tensor, where Paddle's `convert_var_dtype` has int32.

    A bool of many elements is as ambiguous as it is eagerly.
    """
    with pytest.warns(paddle.errors.Dy2stWarning):
        found = paddle.jit.to_static(lambda x: (int(x), float(x > 0)))(X)
    assert [v.dtype.name for v in found] == ["int64", "float32"] and plain(found[0])[1] == [1, 2, 3]
    with pytest.raises(ValueError, match="one element"):
        paddle.jit.to_static(lambda x: bool(x))(X)


def test_a2_23_assertions_raise_when_the_program_runs():
    on_x(asserting.of_a_tensor)
    on_xn(asserting.in_a_loop)
    static, loaded = as_programs(asserting.of_a_tensor, (VECTOR,))
    for program in (static, loaded):
        with pytest.raises(AssertionError, match="the sum is -6"):
            program(-X)


def prints(x, n):
    print("start", x, n, sep=" | ")
    if n > 1:
        print(int(n), end="!\n")
    for i in range(n):
        print(i, f"{float(x.sum()):.1f}")
    print()
    return x


def test_a2_24_print(capsys):
    assert_agrees(prints, (VECTOR, NUMBER), COUNTS[1:3], capsys)


class Attributes(nn.Layer):
    def __init__(self):
        super().__init__()
        self.plain, self.items, self.table = paddle.ones([3]), [paddle.ones([3]) * 2], {"w": paddle.ones([3]) * 3}
        self.flag = True

    def forward(self, x):
        y = self.plain * x + self.items[0] + self.table["w"]
        while y.sum() < 100:
            y = y * 2
            flag = self.flag
        return y if flag and super().__class__ is Attributes or flag else x


def test_a2_25_loads_attributes_super_and_flags():
    eager, static = Attributes(), paddle.jit.to_static(Attributes(), input_spec=[VECTOR])
    _, loaded = as_programs(static.forward, (VECTOR,))
    assert plain(eager(X)) == plain(static(X)) == plain(loaded(X))


def items(x, n):
    m = x.reshape([1, 3])
    return x.sum().item(), x.item(1), m.item(0, 2), m.item(n % 3), n.item()


def too_many(x, n):
    return x.item()


def outside(x, n):
    return x.item(7)


def test_a2_26_item():
    on_xn(items)
    for function in (too_many, outside):
        kinds = {outcome(f, (UP, np.int64(2))).kind for f in (function, *as_programs_that_may_raise(function))}
        assert len(kinds) == 1 and kinds.pop().endswith("Error")


def as_programs_that_may_raise(function):
    """The static function; loading it is asked for only where it has a Program."""
    return [paddle.jit.to_static(function)]


def methods(x, n):
    return (x.size, x.clone() + 1, n / 2, n / n, 7 / (n + 1), x.to("float64").sum(), x.to(dtype="int64"), x.detach() * 2,
            x.contiguous(), x.cpu(), str(x.place) == "Place(cpu)")  # fmt: skip


def test_a2_27_size_clone_division_to_and_others():
    on_xn(methods, COUNTS[1:])


def test_a2_27_numpy_is_refused_with_a_hint():
    with pytest.raises(paddle.errors.StagedValueError, match=r"x.numpy\(\) needs a value.*keep the tensor"):
        paddle.jit.to_static(lambda x: x.numpy().sum())(X)


def stores(x, n):
    y = paddle.stack([x, x + 1])
    y[0] = 5.0
    y[:, 1:] = x[1:] * 2
    y[1, ::2] = 0
    y[..., -1] = n
    y[y > 4] = -1.0
    y[n % 2] = x
    if n > 1:
        y[0, 0] = x.sum()
    i = 0
    while i < n % 3:
        y[1, i] = y[0, i] + i
        i += 1
    y[paddle.to_tensor([0, 1]), paddle.to_tensor([2, 0])] += 10
    return y


@pytest.mark.filterwarnings("ignore:to_tensor of a constant")
def test_a2_28_stores_into_tensors():
    on_xn(stores)


def test_a2_28_gradients_of_stores():
    def stored(x, v):
        y = x * 2
        y[1] = v
        if v > 0:
            y[0] = v * v
        return y

    found = []
    for function in (stored, paddle.jit.to_static(stored)):
        x, v = paddle.to_tensor(UP, stop_gradient=False), paddle.to_tensor(3.0, stop_gradient=False)
        (function(x, v) * paddle.to_tensor([1.0, 10.0, 100.0])).sum().backward()
        found.append((plain(x.grad), plain(v.grad)))
    assert found[0] == found[1]


def in_place(x, n):
    y = x * 1
    y += n
    y.add_(x)
    y[:2].scale_(2.0)
    z = y.reshape([3, 1])
    z.subtract_(paddle.ones([3, 1]))
    paddle.assign(y * 3, output=y)
    return y, z


def changes_its_input(x, n):
    x.add_(paddle.ones([3]))
    x.multiply_(x)
    return x * n


def test_a2_29_in_place():
    on_xn(in_place)
    for function in (changes_its_input, static_of(changes_its_input)):
        given = paddle.to_tensor(UP)
        assert plain(function(given, N)) == ("float32", [8.0, 18.0, 32.0])
        assert plain(given) == ("float32", [4.0, 9.0, 16.0])


def made_inside(x, n):
    return (paddle.to_tensor([1, 2]), paddle.to_tensor(1.5), paddle.to_tensor(True), paddle.to_tensor([x.sum(), 1.0]),
            paddle.to_tensor([[n, n + 1], [3, 4]]), paddle.to_tensor(n, dtype="float32"), paddle.to_tensor(x),
            paddle.to_tensor(2 + 1j))  # fmt: skip


@pytest.mark.filterwarnings("ignore:to_tensor of a constant")
def test_a2_30_to_tensor_inside():
    on_xn(made_inside)
    for function in (lambda x, n: paddle.to_tensor("text"), lambda x, n: paddle.to_tensor({"a": 1})):
        kinds = [outcome(f, (UP, np.int64(1))).kind for f in (function, paddle.jit.to_static(function))]
        assert kinds[0] == kinds[1] and kinds[0] in ("TypeError", "ValueError")


def test_a2_31_lengths_are_known_as_far_as_they_can_be():
    """There is no `set_dynamic_shape`: loops and branches find by themselves which lengths change, and the spec says the rest."""

    def grown(x, n):
        while n > 0:
            x = paddle.concat([x, x[:1]])
            n = n - 1
        return x

    assert_agrees(grown, (InputSpec([3]), NUMBER))
    assert not hasattr(paddle.jit.dy2static, "set_dynamic_shape")
