"""`try` around what happens when the Program runs: plain Python, the Program and the loaded Program agree on every path."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import UP, as_programs, assert_agrees, functions_of, outcome

CALLS = [(x, np.int64(n)) for n in (-7, -1, 0, 1, 2, 3, 5) for x in (UP, -UP)]


class Trouble(ValueError):
    """A user's own."""


class Deeper(Trouble, LookupError):
    """With two bases."""


class Coded(Exception):
    def __init__(self, code, x):
        super().__init__("code", code)
        self.code, self.x = code, x


class Box:
    def __init__(self):
        self.v = 0
        self.log = []

    def fill(self, x, n):
        self.v = 1
        if n > 1:
            raise Trouble("full")
        self.v = 2


def risky(x, n):
    """A callee that raises by the input."""
    if n > 2:
        raise Trouble("too many", int(n))
    if n < -1:
        raise KeyError(3)
    return x * 2


# --- what is caught ---------------------------------------------------------------------------------------------------


def raise_under_a_condition(x, n):
    try:
        if n > 1:
            raise ValueError("big")
        y = x + 1
    except ValueError:
        y = x - 1
    return y


def operator_that_raises(x, n):
    try:
        y = x[n]
    except IndexError:
        y = x.sum()
    return y


def list_out_of_range(x, n):
    items = [x, x + 1]
    try:
        return items[int(n)]
    except IndexError as e:
        return str(e)


def missing_key(x, n):
    table = {0: x, 1: x * 2}
    try:
        return table[int(n)]
    except KeyError as e:
        return str(e), len(table)


def division(x, n):
    try:
        q = 10 // int(n)
    except ZeroDivisionError:
        q = -1
    return x * q


def asserted(x, n):
    try:
        assert n < 2, "n must be small"
        assert (x > 0).all()
    except AssertionError:  # whose text pytest rewrites
        return "failed"
    return x


def raised_in_a_callee(x, n):
    try:
        y = risky(x, n)
    except (KeyError, Trouble) as e:
        return str(e)
    return y


def uncaught_kinds_go_through(x, n):
    try:
        y = risky(x, n)
    except KeyError:
        return "key"
    return y


def several_handlers(x, n):
    try:
        if n == 0:
            raise Deeper("zero")
        if n == 1:
            raise LookupError("one")
        risky(x, n)
    except Trouble:
        kind = "trouble"
    except LookupError:
        kind = "lookup"
    else:
        kind = "none"
    return kind


def catch_all(x, n):
    try:
        y = risky(x, n)
    except:  # noqa: E722
        y = x
    return y


def bare_exception(x, n):
    try:
        y = risky(x, n)[int(n)]
    except Exception as e:
        return isinstance(e, Trouble), isinstance(e, LookupError)
    return y


# --- the exception ----------------------------------------------------------------------------------------------------


def arguments(x, n):
    try:
        if n > 1:
            raise Trouble("too big", n, x.sum())
    except Trouble as e:
        return e.args[0], e.args[1], len(e.args), e.args[2]
    return 0


def text_of_tensor(x, n):
    try:
        if n > 1:
            raise Trouble(n.sum())
    except Trouble as e:
        return "no: " + str(e)
    return ""


def fields(x, n):
    try:
        if n > 1:
            raise Coded(int(n), x)
        if n < 0:
            raise Coded(7, x + 1)
    except Coded as e:
        return e.code, e.x, str(e)
    return 0


def tensors_uncaught(x, n):
    if n > 1:
        raise Trouble("too big", n, x)
    return x


def fields_uncaught(x, n):
    if n > 1:
        raise Coded(int(n), x)
    return x


def name_is_gone(x, n):
    e = x
    try:
        if n > 1:
            raise ValueError("x")
    except ValueError as e:  # noqa: F841
        pass
    return e  # noqa: F821


def name_is_captured(x, n):
    found = []
    try:
        if n > 1:
            raise ValueError("x")
    except ValueError as e:  # noqa: F841
        found.append((lambda: str(e))())  # noqa: F821
    return found


def which_class(x, n):
    try:
        if n == 0:
            raise Deeper("zero")
        risky(x, n)
    except Exception as e:
        return type(e).__name__
    return "none"


# --- what handlers see ------------------------------------------------------------------------------------------------


def values_at_the_raise(x, n):
    y = "zero"
    try:
        y = None
        risky(x, n)
        y = x
        if n == 1:
            raise KeyError("one")
        y = "three"
    except KeyError:
        return "key", y
    except Trouble:
        return "trouble", y
    return y


def values_after_handlers(x, n):
    y, z = x, 0
    try:
        y = y * 2
        z = 1
        risky(x, n)
        z = 2
    except (KeyError, Trouble):
        pass
    return y, z


def unbound_in_the_handler(x, n):
    try:
        risky(x, n)
        y = 1
        if n == 1:
            raise KeyError("one")
    except KeyError:
        return y
    except Trouble:
        return "trouble"
    return 0


def maybe_unbound_after(x, n):
    try:
        risky(x, n)
        y = x
    except Trouble:
        y = "trouble"
    except KeyError:
        pass
    return y


def attributes(x, n):
    box = Box()
    try:
        box.fill(x, n)
    except Trouble:
        return "full", box.v
    return box.v


def lists(x, n):
    items = [0]
    try:
        items.append(1)
        risky(x, n)
        items.append(2)
        items[5 - int(n)]
        items.append(3)
    except Trouble:
        items.append(10)
    except (KeyError, IndexError):
        items.append(20)
    return items


def dict_items(x, n):
    table = {"a": 0}
    try:
        table["a"] = 1
        risky(x, n)
        table["a"] = 2
        table["b"] = 3
    except (Trouble, KeyError):
        table["c"] = 4
    return table


def list_made_inside(x, n):
    items = []
    try:
        items = [x]
        items.append(x)
        risky(x, n)
        items.append(x)
    except (Trouble, KeyError):
        return len(items)
    return items


def dict_made_inside(x, n):
    try:
        y = x[n]
        table = {"a": 2}
    except IndexError:
        return x
    else:
        table["y"] = 3
    if x.sum() > 0:
        table["b"] = 1
    return table, y


def dict_that_may_be_unbound(x, n):
    try:
        y = x[n] + 1
        table = {"a": y}
    except IndexError:
        pass
    table["b"] = x[0]
    return table


def closure_variable(x, n):
    count = 0

    def step(by):
        nonlocal count
        count = count + by
        if n > 1:
            raise Trouble("step")
        count = count + 100

    try:
        step(1)
        step(2)
    except Trouble:
        return "trouble", count
    return count


def variables_of_a_callee(x, n):
    def total(k):
        found = x.sum() - x.sum()

        def add(by):
            nonlocal found
            found = found + by

        if k > 0:
            add(x.sum())
            if k > 1:
                add(1)
                risky(x, k)
                add(2)
        return found

    y = x.sum()
    try:
        y = y + total(n)
        y = y + total(n + 1)
    except Trouble:
        return "trouble", y
    return y


def branch_inside(x, n):
    y = 0
    try:
        if n > 0:
            y = 1
            if n > 2:
                raise Trouble("a")
            y = 2
        else:
            y = -1
            risky(x, n)
            y = 3
        y = y // (2 - int(n))
        y = 4
    except (Trouble, KeyError, ZeroDivisionError):
        return "caught", y
    return y


def put_back_before_the_next_round(x, n):
    y = 0
    seen = []
    try:
        for i in range(int(n) + 2):
            seen.append(6 // (i - 3))
            y = 5
            seen.append(6 // (i - 9))
            y = 0
    except ZeroDivisionError:
        return y, seen
    return "all"


# --- else, finally ----------------------------------------------------------------------------------------------------


def orelse_is_not_protected(x, n):
    y = x
    try:
        y = x[n]
    except IndexError:
        y = y.sum()
    else:
        y = y + 1
        if n == 1:
            raise IndexError("from else")
    return y


def orelse_reads_the_body(x, n):
    made = None
    try:
        t = x * 2
        made = [t]
        risky(x, n)
    except KeyError:
        return made
    except Trouble:
        made = None
    else:
        made.append(t + 1)
        return made, t
    return made


def finally_always(x, n):
    log = []
    try:
        log.append(1)
        risky(x, n)
        log.append(2)
    except Trouble:
        log.append(3)
    finally:
        log.append(4)
    return log


LOG = []


def finally_before_it_goes_on(x, n):
    LOG.clear()
    try:
        try:
            risky(x, n)
        finally:
            LOG.append("finally")
    except KeyError:
        LOG.append("outer")
    return list(LOG)


def finally_sees_values(x, n):
    y, log = 0, []
    try:
        try:
            y = 1
            risky(x, n)
            y = 2
        finally:
            log.append(y)
            y = y + 10
    except (KeyError, Trouble):
        return "caught", y, log
    return y, log


def return_in_finally(x, n):
    try:
        risky(x, n)
    except KeyError:
        return "key"
    finally:
        if n == 2:
            return "finally"
    return "end"


def return_in_finally_swallows(x, n):
    for i in range(3):
        try:
            if i == n:
                raise Trouble("i")
        finally:
            if n > 0:
                break
    return i


# --- jumps, loops, nests ----------------------------------------------------------------------------------------------


def returns_everywhere(x, n):
    try:
        if n == 0:
            return "body"
        risky(x, n)
    except Trouble:
        if x.sum() > 0:
            return "handler"
    except KeyError:
        return x
    else:
        if n == 1:
            return x, 1
    finally:
        print("finally")
    return "end"


def loop_that_goes_on(x, n):
    total, missed = 0, 0
    for i in range(n + 2):
        try:
            if i == 1:
                raise Trouble("one")
            if i == 4:
                raise KeyError("four")
            total = total + i
        except Trouble:
            missed = missed + 1
            continue
        except KeyError:
            break
        total = total + 100
    return total, missed


def loop_variable_read_inside(x, n):
    y = x.sum()
    for row in x:
        try:
            y = y + row
            if y > n:
                raise Trouble("more")
        except Trouble:
            y = y - 1
        row = 0.5
        x = row + y
    return x, y


def loop_inside(x, n):
    total = x.sum()
    i = 0
    try:
        while i < n:
            total = total + i
            i = i + 1
            if total > 8:
                raise Trouble("large")
    except Trouble:
        return "large", i, total
    return i, total


def retry(x, n):
    tries = 0
    while True:
        tries += 1
        try:
            y = risky(x, n - tries)
            break
        except Trouble:
            if tries > 4:
                raise
    return y, tries


def nested(x, n):
    try:
        try:
            risky(x, n)
            y = "fine"
        except KeyError:
            y = "inner"
            if x.sum() > 0:
                raise LookupError("again")
    except LookupError as e:
        y = "outer " + str(e)
    return y


def raised_again(x, n):
    try:
        try:
            risky(x, n)
        except Exception:
            print("seen")
            raise
    except KeyError:
        return "key"
    return x


def raised_by_name(x, n):
    try:
        risky(x, n)
    except Trouble as e:
        print("seen")
        raise e
    return x


def another_in_its_place(x, n):
    try:
        risky(x, n)
    except Trouble as e:
        raise RuntimeError(e.args[0]) from e
    except KeyError:
        raise RuntimeError("key") from None
    return x


def in_a_branch(x, n):
    y = x
    if x.sum() > 0:
        try:
            y = risky(x, n)
        except Trouble:
            y = None
    return y


def handler_in_a_callee(x, n):
    def safe(k):
        try:
            return risky(x, k)
        except Exception:
            return None

    a = safe(n)
    b = safe(n + 1)
    return a is None, b is None


def same_try_twice(x, n):
    found = []
    for k in (1, 3, 5):
        try:
            found.append(10 // (int(n) - k))
        except ZeroDivisionError:
            found.append(k)
    return found


def printed(x, n):
    try:
        risky(x, n)
    except Exception as e:
        print("failed:", e)
        print(f"failed: {e} {e!r}")
        raise
    return x


def object_made_inside(x, n):
    box = None
    try:
        box = Box()
        box.log.append(1)
        box.fill(x, n)
        risky(x, n)
        box.v = 3
    except (Trouble, KeyError):
        return "caught" if box is None else (box.v, len(box.log))
    return box.v


def in_place(x, n):
    y = x + 0
    try:
        y[0] = 5.0
        risky(x, n)
        y[1] = 7.0
    except (Trouble, KeyError):
        y[2] = 9.0
    return y


def finally_in_a_loop(x, n):
    log = []
    for i in range(n + 1):
        try:
            try:
                if i == 1:
                    raise Trouble("one")
                if i == 3:
                    raise KeyError("three")
                log.append(i)
            finally:
                log.append(-i)
                if i == 2:
                    continue
        except Trouble:
            log.append(50)
        else:
            log.append(60)
    return log


# --- what is refused --------------------------------------------------------------------------------------------------


def told_by_what_comes_from_what(x, n):
    try:
        try:
            risky(x, n)
        except Trouble as e:
            raise RuntimeError("more") from e
    except RuntimeError as e:
        return str(e.__cause__)
    return x


def unknown_attribute(x, n):
    try:
        risky(x, n)
    except Trouble as e:
        return e.code
    return x


class Worded(Exception):
    def __str__(self):
        return "in my own words"


def own_words(x, n):
    try:
        if n > 2:
            raise Worded("no")
    except Worded as e:
        return str(e)
    return x


REFUSED = {
    told_by_what_comes_from_what: "__cause__ isn't known while staging",
    unknown_attribute: "pass it as an argument",
    own_words: "keep the message in its arguments",
}
CASES = [f for f in functions_of(globals()) if f is not risky and f not in REFUSED]


@pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")
@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_agrees(function, capsys):
    assert_agrees(function, calls=CALLS, capsys=capsys)


@pytest.mark.parametrize(("function", "words"), REFUSED.items(), ids=lambda v: getattr(v, "__name__", None))
def test_refused_in_words(function, words):
    with pytest.raises(ConversionError, match=words):
        as_programs(function)


def test_what_an_exception_carries_is_live():
    for program in as_programs(fields_uncaught):
        with pytest.raises(Exception) as caught:
            program(paddle.to_tensor(UP), paddle.to_tensor(np.int64(2)))
        assert isinstance(caught.value.x, paddle.Tensor) and caught.value.args[0] == "code"


COUNT = 0
SEEN = []


def counted(x, n):
    global COUNT
    try:
        COUNT = COUNT + 1
        SEEN.append(COUNT)
        risky(x, n)
        COUNT = COUNT + 10
    except Trouble:
        COUNT = COUNT + 100
        return "trouble", COUNT
    return COUNT, len(SEEN)


def test_state_is_what_plain_python_leaves():
    def run(function):
        global COUNT
        COUNT = 0
        SEEN.clear()
        return [outcome(function, call) for call in CALLS]

    expected = run(counted)
    COUNT_AND_SEEN = COUNT, list(SEEN)
    static, loaded = (run(p) for p in as_programs_from_zero())
    assert static == loaded == expected
    run(as_programs_from_zero()[0])
    assert (COUNT, SEEN) == COUNT_AND_SEEN


def as_programs_from_zero():
    global COUNT
    COUNT = 0
    SEEN.clear()
    return as_programs(counted)


def test_a_handler_that_no_operator_reaches_is_no_part_of_the_program():
    def written(x, places):
        try:
            return paddle.index_select(x, places)
        except NotImplementedError:
            return x

    specs = [paddle.static.InputSpec([None], "float32"), paddle.static.InputSpec([None], "int64")]
    program = paddle.jit.to_static(written, input_spec=specs).concrete_program.program
    assert all(op.name != "try" for op in program.walk())
