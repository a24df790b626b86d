"""Variables of a module that are stored and read through its dict: as plain Python gives and leaves them, or refused in words."""

import builtins

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
X = paddle.to_tensor([1.0])


def counted(x):
    globals()["N"] = globals().get("N", 0) + 1
    return x * N  # noqa: F821


def looked_for(x):
    if "N" not in globals():
        globals()["N"] = 5
    else:
        globals()["N"] += 1
    return x * N  # noqa: F821


def by_default(x):
    globals().setdefault("N", 5)
    globals()["N"] += 1
    return x * N  # noqa: F821


def caught(x):
    try:
        globals()["N"] += 1
    except KeyError:
        globals()["N"] = 10
    return x * N  # noqa: F821


def on_a_path(x):
    if x.sum() > 0:
        globals()["N"] = x.sum()
    return x + (1 if "N" in globals() else 2)


def given_on_a_path(x):
    if x.sum() > 0:
        globals()["N"] = 3
    return x + globals().get("N", 7)


def taken_out(x):
    if x.sum() > 0:
        globals()["N"] = 3
    return x + globals().pop("N", 7)


def updated(x):
    if x.sum() > 0:
        globals().update({"N": 3})
    return x + len([name for name in globals() if name == "N"])


def by_statement(x):
    global N
    if x.sum() > 0:
        N = 3
    return x + len([name for name in globals() if name == "N"])


def with_items(x):
    global N
    N = 3
    return x + len([name for name, value in globals().items() if name == "N" and value == 3])


def deleted(x):
    if x.sum() > 0:
        del globals()["N"]
    return x + ("N" in globals())


def replaced(x):
    if x.sum() > 0:
        globals()["N"] = 1
    else:
        globals().pop("N", None)
    return x


FUNCTIONS = [
    counted, looked_for, by_default, caught, on_a_path, given_on_a_path, taken_out, updated, by_statement, with_items, deleted,
    replaced,
]  # fmt: skip


def calls(function, start):
    """What each call gives or raises, and what N is then."""
    globals().pop("N", None)
    if start is not None:
        globals()["N"] = start
    found = []
    for x in (X, -X, X, X, -X):
        try:
            found.append(function(x).tolist())
        except KeyError as error:
            found.append(str(error))
        found.append(float(globals().get("N", -1)))
    return found


@pytest.mark.parametrize("start", [None, 4])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_as_in_plain_python_or_refused(function, start):
    expected = calls(function, start)
    try:
        assert calls(paddle.jit.to_static(function), start) == expected
    except ConversionError as error:
        assert "has 'N' on some paths only" in str(error)
    finally:
        globals().pop("N", None)


def by_item():
    builtins.__dict__["_of_this_test"] = 5


def other(*args):
    return 1


def as_an_item(name, held):
    builtins.__dict__[name] = held


@pytest.mark.parametrize("name", ["len", "isinstance", "getattr", "type", "list", "sorted", "id", "hash", "repr", "sum"])
@pytest.mark.parametrize("store", [
    lambda name, held: setattr(builtins, name, held), lambda name, held: vars(builtins).update({name: held}),
    as_an_item,
])  # fmt: skip
def test_a_built_in_function_that_staging_calls_is_refused(name, store):
    def function(x):
        held = getattr(builtins, name)
        try:
            store(name, other)
            return x * 2
        finally:
            store(name, held)

    before = getattr(builtins, name)
    with pytest.raises(ConversionError, match=rf"builtins.{name} = ... replaces what staging itself calls"):
        paddle.jit.to_static(function)(X)
    assert getattr(builtins, name) is before


@pytest.mark.parametrize("name", ["print", "input", "open"])
def test_one_that_only_the_user_calls_is_put_back(name):
    def function(x):
        held = getattr(builtins, name)
        setattr(builtins, name, other)
        try:
            return x * getattr(builtins, name)("a")
        finally:
            setattr(builtins, name, held)

    before = getattr(builtins, name)
    assert paddle.jit.to_static(function)(X).tolist() == function(X).tolist() and getattr(builtins, name) is before
