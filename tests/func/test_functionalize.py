"""Every row of what functionalize promises, by its id, against plain Python on the untouched function."""

from __future__ import annotations

import ast
import copy
import io
import re

import numpy as np
import pytest

import dy2st
from dy2st.func import functionalize, grad, make_program
from dy2st.ops.registry import OPERATORS, view_of
from dy2st.passes.functionalize import FunctionalizeError
from dy2st.runtime.tensors.input_memory import InputMemory

MODES = ("mutations", "mutations_and_views")
VALUES = np.arange(6, dtype="float32").reshape(2, 3) - 2
modes = pytest.mark.parametrize("remove", MODES)


def t(values=VALUES) -> dy2st.Tensor:
    return dy2st.to_tensor(np.array(values))


def operators(code: str) -> list[str]:
    """The operators of a printed Program, in order."""
    return re.findall(r"ops\.([\w.]+)\(", code)


def writes(code: str) -> list[str]:
    return [name for name in operators(code) if name in OPERATORS and OPERATORS[name].mutates]


def views(code: str) -> list[str]:
    return [name for name in operators(code) if view_of(name) is not None]


def flat(value) -> list:
    if isinstance(value, (list, tuple)):
        return [x for v in value for x in flat(v)]
    return [value.numpy()] if isinstance(value, dy2st.Tensor) else [np.asarray(value)]


def agree(f, *inputs, remove: str = "mutations", **kwargs) -> None:
    """`functionalize(f)` gives what `f` gives, and leaves the same in the inputs."""
    mine, theirs = [t(x) for x in inputs], [t(x) for x in inputs]
    got, expected = functionalize(f, remove=remove)(*mine, **kwargs), f(*theirs, **kwargs)
    assert type(got) is type(expected)
    for a, b in zip(flat(got), flat(expected), strict=True):
        np.testing.assert_array_equal(a, b)
    for a, b in zip(mine, theirs):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def program(f, *inputs, remove: str = "mutations", **kwargs):
    return make_program(functionalize(f, remove=remove, **kwargs))(*map(t, inputs))


def intermediate(a):
    b = a + 1
    c = b.view([-1])
    c.add_(1)
    return b


def through_a_view(a):
    b = a.view([-1])
    b.add_(1)
    return a


@modes
def test_FN_01_the_same_results(remove):
    agree(intermediate, VALUES, remove=remove)


def test_FN_01_the_default_is_mutations():
    assert program(intermediate, VALUES).code == program(intermediate, VALUES, remove="mutations").code
    assert make_program(functionalize(intermediate))(t()).code == program(intermediate, VALUES).code


def test_FN_02_without_it_the_write_and_the_view_show():
    assert operators(make_program(intermediate)(t()).code) == ["add", "reshape", "add_"]


def test_FN_03_mutations_are_gone_and_views_replayed():
    assert operators(program(intermediate, VALUES).code) == ["add", "reshape", "add", "reshape"]


def test_FN_04_views_are_copies():
    code = program(intermediate, VALUES, remove="mutations_and_views").code
    assert operators(code) == ["add", "reshape_copy", "add", "reshape_copy"]


@modes
def test_FN_05_the_program_runs_on_other_data(remove):
    traced = program(intermediate, VALUES, remove=remove)
    for values in (VALUES, VALUES * 3):
        np.testing.assert_array_equal(traced(t(values)).numpy(), intermediate(t(values)).numpy())


@modes
def test_FN_06_inputs_are_still_written(remove):
    agree(through_a_view, VALUES, remove=remove)
    x = t()
    functionalize(through_a_view, remove=remove)(x)
    np.testing.assert_array_equal(x.numpy(), VALUES + 1)


@modes
def test_FN_07_one_copy_into_the_input(remove):
    code = program(through_a_view, VALUES, remove=remove).code
    view = {"mutations": "reshape", "mutations_and_views": "reshape_copy"}[remove]
    assert operators(code) == [view, "add", view, "copy_"]


@modes
def test_FN_08_several_inputs(remove):
    def f(a, b, c):
        a.add_(b)
        c[0].multiply_(2)
        return a, (b * c, c)

    agree(f, VALUES, VALUES + 1, VALUES + 2, remove=remove)
    code = program(f, VALUES, VALUES, VALUES, remove=remove).code
    assert re.findall(r"copy_\((\w+),", code.replace("_copy(", "(")) == ["a", "c"]
    assert writes(code) == ["copy_", "copy_"]


@modes
def test_FN_09_every_alias_sees_a_write(remove):
    def f(a):
        base = a * 1
        first, second = base.view([-1]), base[1]
        inner, turned = first[2:5], base.t()
        inner.add_(10)
        seen = second.clone()
        turned[0].multiply_(3)
        second[1:].fill_(7)
        return base, first, second, inner, turned, seen

    agree(f, VALUES, remove=remove)


@modes
def test_FN_10_one_whole_copy(remove):
    def f(a):
        a[0].add_(1)
        a.t()[1].multiply_(2)
        a.view([-1])[4:].subtract_(3)
        return a.sum()

    agree(f, VALUES, remove=remove)
    assert writes(program(f, VALUES, remove=remove).code) == ["copy_"]


IN_PLACE = {
    name: definition.functional
    for name, definition in OPERATORS.items()
    if definition.functional and definition.mutates and not definition.random
}


@pytest.mark.parametrize("name", sorted(IN_PLACE))
def test_FN_11_each_in_place_operator(name):
    from ops.samples import collect

    case = collect()[name][0]
    target, *others = case.operands
    definition = OPERATORS[name]

    def f(x):
        y = x.clone()
        definition(y, *[dy2st.to_tensor(o) if isinstance(o, np.ndarray) else o for o in others], **case.attrs)
        return y

    agree(f, target)
    code = program(f, target).code
    assert name not in operators(code) and IN_PLACE[name] in operators(code)


@pytest.mark.parametrize("name", ["uniform_", "normal_"])
def test_FN_11_random_numbers(name):
    def f(x):
        y = x.clone()
        getattr(y[0], name)()
        return y

    dy2st.seed(3)
    expected = f(t()).numpy()
    dy2st.seed(3)
    np.testing.assert_array_equal(functionalize(f)(t()).numpy(), expected)


TAKEN = {
    "reshape": lambda x: x.reshape([-1]),
    "flatten": lambda x: x.flatten(),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "squeeze": lambda x: x.unsqueeze(0).squeeze(0),
    "transpose": lambda x: x.transpose([1, 0]),
    "getitem": lambda x: x[:, 1],
    "diagonal": lambda x: x.diagonal(1),
    "as_strided": lambda x: x.as_strided([2, 2], [3, 1], 1),
    "detach": lambda x: x.detach(),
    "narrow": lambda x: x.narrow(1, 1, 2),
    "select": lambda x: x.select(0, 1),
    "split": lambda x: dy2st.split(x, 3, axis=1)[1],
}


@pytest.mark.parametrize("name", TAKEN)
@modes
def test_FN_12_each_view(name, remove):
    def f(a):
        base = a * 2
        view = TAKEN[name](base)
        view.add_(5)
        base[0].multiply_(2)
        return base, view

    agree(f, VALUES, remove=remove)
    code = program(f, VALUES, remove=remove).code
    assert writes(code) == []
    if remove == "mutations_and_views":
        assert views(code) == []


def test_FN_12_expanded_memory_is_read_only():
    def f(a):
        wide = (a[0] * 2).expand([2, 3])
        wide.add_(1)
        return wide

    with pytest.raises(FunctionalizeError, match="what broadcast_to gives can't be written in place"):
        functionalize(f)(t())


def test_FN_13_remove_is_a_keyword():
    with pytest.raises(TypeError):
        functionalize(intermediate, "mutations")
    with pytest.raises(ValueError, match="remove is one of 'mutations', 'mutations_and_views', not 'views'"):
        functionalize(intermediate, remove="views")


@modes
def test_FN_14_numbers_keywords_and_structures(remove):
    def f(a, n, *, scale=1.0, pair=(0, 1)):
        a[n].multiply_(scale)
        return {"a": a, "rest": [a[pair[0]], (n, None)]}

    mine, theirs = t(), t()
    got, expected = functionalize(f, remove=remove)(mine, 1, scale=3.0), f(theirs, 1, scale=3.0)
    assert list(got) == list(expected) and got["rest"][1] == (1, None) and type(got["rest"]) is list
    np.testing.assert_array_equal(got["a"].numpy(), expected["a"].numpy())
    np.testing.assert_array_equal(got["rest"][0].numpy(), expected["rest"][0].numpy())
    np.testing.assert_array_equal(mine.numpy(), theirs.numpy())


OUTER = t(np.zeros(3, "float32"))


def writes_a_global(a):
    OUTER.view([-1]).add_(1)
    return a + OUTER


@modes
def test_FN_15_what_is_not_local_happens_as_written(remove):
    before = OUTER.numpy().copy()
    static = functionalize(writes_a_global, remove=remove)
    result = static(t())
    np.testing.assert_array_equal(OUTER.numpy(), before + 1)
    np.testing.assert_array_equal(result.numpy(), VALUES + before + 1)
    assert operators(make_program(static)(t()).code) == ["reshape", "add_", "add"]


@modes
def test_FN_15_what_is_not_local_is_lifted_in_on_request(remove):
    before = OUTER.numpy().copy()
    static = functionalize(writes_a_global, remove=remove, lift=True)
    result = static(t())
    np.testing.assert_array_equal(OUTER.numpy(), before + 1)
    np.testing.assert_array_equal(result.numpy(), VALUES + before + 1)
    assert writes(make_program(static)(t()).code) == ["copy_"]


@modes
def test_FN_16_state_made_inside_is_removed(remove):
    def f(a):
        outer = dy2st.zeros([3])
        outer.view([-1]).add_(1)
        return a + outer

    agree(f, VALUES, remove=remove)
    assert writes(program(f, VALUES, remove=remove).code) == []


@modes
def test_FN_17_the_gradient_of_a_function_that_writes(remove):
    def loss(a):
        b = a * 2
        b[0].multiply_(b[1])
        b.view([-1])[4].add_(b[0, 0])
        return (b * b).sum()

    x = t()
    x.stop_gradient = False
    (expected,) = dy2st.grad(loss(x), [x])
    static = functionalize(grad(loss), remove=remove)
    np.testing.assert_allclose(static(t()).numpy(), expected.numpy(), rtol=1e-6)
    assert writes(make_program(static)(t()).code) == []


def test_FN_18_backward_inside_is_an_error():
    def f(a):
        b = a * 2
        b.sum().backward()
        return a.grad

    x = t()
    x.stop_gradient = False
    with pytest.raises(dy2st.errors.Dy2stError):
        functionalize(f)(x)

    net = dy2st.nn.Linear(3, 2)

    def g(a):
        net(a).sum().backward()
        return a * 2

    with pytest.raises(FunctionalizeError, match=r"test_functionalize.py:\d+: functionalize: backward\(\) and grad"):
        functionalize(g)(dy2st.ones([2, 3]))


@modes
@pytest.mark.parametrize("shape", [[3], [2, 2], [4, 3]])
def test_FN_19_resize_of_no_view(remove, shape):
    def f(a):
        b = a * 2
        b.resize_(shape)
        b.add_(1)
        return b

    agree(f, VALUES, remove=remove)


def test_FN_19_resize_of_a_view_is_an_error():
    def f(a):
        b = (a * 2)[0]
        b.resize_([2])
        return b

    with pytest.raises(dy2st.errors.ConversionError, match="resize_ is for a tensor that the function has made"):
        functionalize(f)(t())
    with pytest.raises(RuntimeError, match="resize_: x is a view"):
        f(t())


@modes
def test_FN_20_as_strided_without_overlap(remove):
    def f(a):
        b = a + 1
        view = b.as_strided([2, 2], [3, 2], 0)
        view.multiply_(2)
        b.t().add_(1)
        view[0].add_(1)
        return b, view

    agree(f, VALUES, remove=remove)


def test_FN_20_as_strided_with_overlap_is_an_error():
    def f(a):
        b = a + 1
        view = b.as_strided([2, 2], [1, 1], 0)
        view.multiply_(2)
        return b

    with pytest.raises(FunctionalizeError, match="elements of this view are one in memory"):
        functionalize(f)(t())
    with pytest.raises((RuntimeError, ValueError)):
        f(t())


@modes
def test_FN_20_a_view_with_overlap_can_be_read(remove):
    def f(a):
        b = a + 1
        view = b.as_strided([2, 2], [1, 1], 0)
        b.multiply_(2)
        return view * 1

    agree(f, VALUES, remove=remove)


def test_FN_21_a_returned_view_of_the_input():
    def f(a):
        a.add_(1)
        return a[0]

    for remove, shares in (("mutations", True), ("mutations_and_views", False)):
        x = t()
        result = functionalize(f, remove=remove)(x)
        assert np.shares_memory(result.numpy(), x.numpy()) is shares
        np.testing.assert_array_equal(result.numpy(), VALUES[0] + 1)


def test_FN_22_the_function_itself_stays():
    before = through_a_view.__code__
    static = functionalize(through_a_view)
    assert static is not through_a_view and through_a_view.__code__ is before
    x = t()
    assert np.shares_memory(through_a_view(x).numpy(), x.numpy())
    np.testing.assert_array_equal(x.numpy(), VALUES + 1)


class Net(dy2st.nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", dy2st.zeros([3]))

    def forward(self, x):
        self.seen.add_(1)
        x[0].add_(self.seen)
        return x


def test_FN_22_a_layer_stays_too():
    net, twin = Net(), Net()
    static = functionalize(net, lift=True)
    for _ in range(2):
        x, y = t(), t()
        np.testing.assert_array_equal(static(x).numpy(), twin(y).numpy())
        np.testing.assert_array_equal(x.numpy(), y.numpy())
    np.testing.assert_array_equal(net.seen.numpy(), twin.seen.numpy())
    assert type(net.forward).__name__ == "method"


def branches(a):
    i = dy2st.zeros([], "int64")
    while i < 2:
        if a[i, 0] > 0:
            a[i].add_(1)
        i = i + 1
    return a


@modes
@pytest.mark.parametrize("f", [intermediate, through_a_view, branches])
def test_FN_23_the_code_is_a_function_that_assigns_each_name_once(f, remove):
    code = program(f, VALUES, remove=remove).code
    tree = ast.parse(code)
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef) and function.name == "forward"
    assert function.args.args[0].arg == "self"
    stored = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    stored += [n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    stored += [n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)]
    assert len(stored) == len(set(stored))
    compile(code, "code", "exec")


# --- what functionalize takes for granted, and checks ------------------------------------------------------------------


def test_inputs_that_share_memory_are_refused():
    def f(a, b):
        a.add_(1)
        return b * 2

    x = t()
    for static in forms(f, x, t()[0]):
        with pytest.raises(ValueError, match="two inputs share memory"):
            static(x, x[0])


def test_an_input_out_of_row_major_order_is_refused_where_that_matters():
    for static in forms(through_a_view, t().t()):
        with pytest.raises(ValueError, match="row-major"):
            static(t().t())


def forms(f, *inputs):
    """A function functionalized, and saved and loaded."""
    static, file = functionalize(f), io.BytesIO()
    make_program(static)(*inputs)
    dy2st.jit.save(static, file)
    file.seek(0)
    return static, dy2st.jit.load(file)


def test_what_a_file_says_of_the_memory_of_inputs_is_checked():
    assert InputMemory.of_text(InputMemory(True, True).text) == InputMemory(True, True)
    with pytest.raises(ValueError, match="'far'"):
        InputMemory.of_text("apart far")


def test_a_reshape_that_may_copy_is_refused_or_right():
    def of_a_transpose(a):
        b = a + 1
        copied = b.t().reshape([-1])
        copied.add_(1)
        return b, copied

    agree(of_a_transpose, VALUES)

    def of_what_is_not_known(a):
        b = a.t() + 1  # lies in memory as NumPy likes
        view = b.reshape([-1])
        view.add_(1)
        return b, view

    with pytest.raises(FunctionalizeError, match=r"test_functionalize.py:\d+: functionalize: reshape gives a view or a copy"):
        functionalize(of_what_is_not_known)(t())


def first_is_one(x):
    x[0] = 1.0
    return x * 2


@pytest.mark.parametrize("make", [functionalize, lambda f: grad(lambda x: (f(x * 1) ** 2).sum())], ids=["functionalize", "grad"])
def test_late_specs_copies_and_saving_keep_what_was_made(make, tmp_path):
    made, spec = make(first_is_one), [dy2st.static.InputSpec([2], "float32", "x")]
    expected = made(dy2st.to_tensor([3.0, 4.0])).numpy()
    dy2st.jit.save(made, tmp_path / "made", input_spec=spec)
    given = [dy2st.jit.to_static(made, input_spec=spec), copy.deepcopy(made), dy2st.jit.load(tmp_path / "made")]
    assert [type(x) for x in given[:2]] == [type(made)] * 2
    for again in given:
        np.testing.assert_array_equal(again(dy2st.to_tensor([3.0, 4.0])).numpy(), expected)
