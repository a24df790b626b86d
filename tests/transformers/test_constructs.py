"""Each construct does after rewriting what it did before: value, exception, order of side effects."""

import contextlib

import pytest
from plain_runtime import converted, outcome
from support.answers import assert_some_answer

CASES = []


def case(*arguments):
    """Registers a function with the argument tuples to call it with; `log` is a list that the test passes first."""
    def register(function):
        CASES.append(pytest.param(function, arguments, id=function.__name__))
        return function
    return register


@pytest.mark.parametrize("function, calls", CASES)
def test_same_as_plain_python(function, calls):
    expected = []
    bodies = [converted(function), converted(function, outside=True)]
    for args in calls:
        plain_log = []
        expected.append(outcome(function, plain_log, *args))
        for body in bodies:
            log = []
            assert outcome(body, log, *args) == expected[-1], args
            assert log == plain_log, args
    assert_some_answer(expected)


class Swallow(contextlib.ContextDecorator):
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return kind is ValueError


# if


@case((1,), (0,))
def if_else(log, c):
    if c:
        y = "yes"
    else:
        y = "no"
    return y


@case((1,), (0,))
def if_without_else(log, c):
    y = 1
    if c:
        y = 2
        log.append("changed")
    return y


@case((0,), (1,), (2,), (3,))
def elif_chain(log, n):
    if n == 0:
        r = "zero"
    elif n == 1:
        r = "one"
    elif n == 2:
        r = "two"
    else:
        r = "many"
    return r


@case((1,), (0,))
def bound_on_one_path(log, c):
    if c:
        y = 1
    log.append("before")
    return y


@case((1,), (0,))
def read_before_assigned_and_dead_after(log, c):
    t = 5
    if c:
        t = t + 1
        log.append(t)
    return c


@case((2,), (1,), (0,))
def local_shadows_builtin(log, c):
    if c:
        max = 3
        log.append(max)
    return max if c > 1 else max(1, 2)


@case((1,), (0,))
def deleted_in_branch(log, c):
    y = 1
    if c:
        del y
    return y


@case((1,), (0,))
def deleted_twice(log, c):
    y = 1
    if c:
        del y
    del y
    return "done"


@case((3, 0), (3, 1))
def nested_ifs(log, a, b):
    if a:
        x = a
        if b:
            x = x + b
            y = x
        else:
            y = -x
    else:
        y = None
    return y


@case((1,), (0,))
def annotations(log, c):
    y: int = 0
    z: str
    if c:
        y: int = 5
        z: str = "z"
        log.append(z)
    return y


# loops


@case((0,), (5,))
def while_loop(log, n):
    i, total = 0, 0
    while i < n:
        total += i
        i += 1
    return total, i


@case((0,), (3,), (9,))
def while_else_break(log, n):
    while n > 0:
        n -= 1
        if n == 7:
            break
        log.append(n)
    else:
        log.append("else")
    return n


@case((0,), (6,))
def for_continue(log, n):
    for i in range(n):
        if i % 2:
            continue
        log.append(i)
        if i == 4:
            continue
        log.append("small")
    return "end"


@case((0,), (3,))
def target_after_loop(log, n):
    for i in range(n):
        pass
    return i


@case(([],), ([(1, (2, [3, 4]))],))
def nested_targets(log, pairs):
    for a, (b, [c, *d]) in pairs:
        log.append((a, b, c, d))
    return len(pairs)


@case(([3, 1, 2], 1), ([3, 1, 2], 7))
def for_else(log, xs, wanted):
    for x in xs:
        if x == wanted:
            log.append("found")
            break
    else:
        log.append("not found")
    return x


@case((4,))
def break_and_continue_in_nested_loops(log, n):
    for i in range(n):
        for j in range(n):
            if j == i:
                continue
            if j > 2:
                break
            log.append((i, j))
        else:
            log.append("full")
        if i == 2:
            break
    return i, j


@case((3,))
def while_true(log, n):
    while True:
        n -= 1
        if n < 0:
            break
        log.append(n)
    return n


@case((3,))
def value_kept_across_rounds(log, n):
    for i in range(n):
        if i == 0:
            y = "first"
        if i > 0:
            log.append(y)
    return "ok"


@case((3,))
def closures_share_the_loop_variable(log, n):
    functions = []
    for i in range(n):
        functions.append(lambda: i)
    return [f() for f in functions]


@case((2,))
def attribute_and_subscript_targets(log, n):
    class Box:
        pass
    box, items = Box(), [0, 0]
    for box.a in range(n):
        items[box.a] = box.a + 1
    for items[0] in range(n):
        log.append(list(items))
    items[1] += 5
    box.a += 1
    box.b, items[0] = 7, 8
    del items[0], box.b
    return box.a, items, hasattr(box, "b")


# return


@case((1,), (0,))
def early_return(log, c):
    if c:
        return "early"
    log.append("late")
    return "late"


@case((0,), (2,), (5,))
def return_in_loop(log, n):
    for i in range(n):
        if i == 3:
            return i
        log.append(i)
    return "none"


@case((0,), (2,), (5,))
def return_falls_off(log, n):
    for i in range(n):
        for j in range(i):
            if i + j == 5:
                return i, j
    log.append("end")


@case((1,), (0,))
def bare_returns(log, c):
    if c:
        return
    log.append("after")


@case((0, 0), (1, 0), (1, 1))
def partial_return(log, a, b):
    if a:
        if b:
            return "inner"
        x = "kept"
    else:
        x = "other"
    log.append(x)
    return x


@case((1,), (0,))
def return_or_raise(log, c):
    if c:
        return "fine"
    else:
        raise ValueError("not fine")


# try, with, match


@case((1,), (0,), (2,))
def return_in_try(log, n):
    for i in range(3):
        try:
            if n == 0:
                raise ValueError("zero")
            if i == n:
                return i
        except ValueError as error:
            log.append(str(error))
            if i == 1:
                break
            continue
        else:
            log.append("else")
        finally:
            log.append("finally")
    return "end"


@case((1,), (0,))
def handler_sees_values_at_the_raise(log, c):
    y = 0
    try:
        if c:
            y = 1
            raise ValueError
        y = 2
    except ValueError:
        log.append(y)
    return y


@case((0,), (2,), (-1,))
def returns_in_else_only(log, n):
    try:
        log.append(n)
    except ValueError:
        raise
    else:
        if n < 0:
            pass
        elif n > 1:
            log.append("more")
        else:
            return "few"
        return n


@case((1,), (0,))
def swallowed_exception(log, c):
    y = 0
    with Swallow():
        while True:
            y += 1
            if y == 3:
                if c:
                    raise ValueError
                break
    return y


@case((1,), (0,))
def handler_name_is_unbound_afterwards(log, c):
    e = "before"
    for _ in range(2):
        try:
            if c:
                raise ValueError("x")
        except ValueError as e:
            log.append(str(e))
    return e


@case((0,), (1,), (2,))
def jump_out_of_finally(log, n):
    for i in range(3):
        try:
            if n == 0:
                raise ValueError("lost")
            if n == 1:
                return "replaced"
        finally:
            log.append(i)
            if i == 1:
                break
            if n == 2:
                continue
    return i


@case((0,), (1,))
def finally_overrides_return(log, c):
    for i in range(2):
        try:
            if c:
                return "try"
        finally:
            if i == 0:
                return "finally"
    return "end"


@case((0,), (1,), (2,))
def return_replaced_by_exception(log, n):
    for _ in range(1):
        try:
            try:
                if n:
                    return "first"
            finally:
                if n == 2:
                    raise ValueError("late")
        except ValueError:
            log.append("handled")
    return "end"


class RaisesOnExit:
    def __init__(self, raises):
        self.raises = raises

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if self.raises:
            raise ValueError("at the exit")


@case((0,), (1,))
def return_overtaken_at_the_exit(log, raises):
    for i in range(2):
        with Swallow():
            with RaisesOnExit(raises):
                log.append(i)
                if i == 0:
                    return "returned"
                break
        log.append("went on")
    return "end"


@case(((1, 2),), ({"k": 3},), ("s",), (None,))
def match_statement(log, subject):
    for _ in range(2):
        match subject:
            case (a, b) if a < b:
                r = a + b
                break
            case {"k": k, **rest}:
                return k, rest
            case str() as text:
                r = text
                continue
            case _:
                r = None
    return r


# expressions


@case((0, 1), (1, 0), (3, 4))
def logic(log, a, b):
    def seen(value):
        log.append(value)
        return value
    return seen(a) and seen(b) or not seen(a + b), seen(a) or seen(b), a if seen(b) else b


@case((1, 2, 3), (3, 2, 1), (1, 1, 2))
def comparison_chain(log, a, b, c):
    def seen(value):
        log.append(value)
        return value
    return seen(a) < seen(b) <= seen(c), a is b, a not in [b, c], a in (a,), a is not None


@case((0,), (3,))
def walrus_in_lazy_operands(log, n):
    if n and (half := n / 2) > 1:
        log.append(half)
    value = (first := n) or (second := 5)
    log.append(f"{n and (third := n + 1)}")
    return value, first, (second if n == 0 else third)


@case((3,))
def walrus_in_while(log, n):
    items = list(range(n))
    while items and (item := items.pop()) >= 0:
        if item == 1:
            continue
        log.append(item)
    return item


@case((1, 5), (0, 5), (3, 2))
def walrus_in_chain_and_order(log, a, b):
    def seen(value):
        log.append(value)
        return value
    return [seen(a), seen(a) < (m := seen(b)) < 9 and (k := seen(m)), seen(b)], m, k if b < 9 and a < b else 0


@case(([1, 2, 3],))
def walrus_in_comprehension(log, xs):
    ys = [y for x in xs if (y := x * 2) > 2]
    return ys, y


@case((1,), (0,))
def assertion(log, c):
    assert c, log.append("message") or "no c"
    return c


@case((1,), (0,))
def raise_from(log, c):
    try:
        if c:
            raise KeyError("k") from ValueError("cause")
        raise KeyError from None
    except KeyError as error:
        return repr(error.__cause__), error.__suppress_context__


@case(([3, 1, 2],))
def comprehensions(log, xs):
    k = 2
    return [x for x in xs if x > 1 and x < 3], {x: x * k for x in xs}, {x % k for x in xs}, sum(x * k for x in xs)


@case((2,))
def fstrings(log, n):
    d = {"a": [1, 2, 3]}
    return f"{d['a'][n]!r:>5}|{n and 'x'}|{{}}|{n:{n}}|" f'{"q" if n else "r"}' + f"{n=}"


# functions and names


@case((2,))
def lazy_generator_sees_later_values(log, n):
    for k in range(n):
        g = (x * k for x in [1, 2])
    k = 10
    return list(g)


@case((3,))
def nonlocal_counter(log, n):
    count = 0

    def add(k):
        nonlocal count
        if k % 2:
            count += k

    for i in range(n):
        add(i)
    return count


@case((3,))
def captured_and_assigned_in_loop(log, n):
    y = 0

    def get():
        return y

    for i in range(n):
        y = y + i
        log.append(get())
    return y


@case((1,), (0,))
def captured_and_maybe_unbound(log, c):
    def get():
        return y
    if c:
        y = 1
    return get()


counter = 0


@case((2,), (0,))
def global_in_branch(log, n):
    global counter
    counter = 0
    if n:
        counter = counter + n
        for _ in range(n):
            counter += 1
    return counter


@case((1, 2), (0, 2))
def inner_function_with_defaults(log, a, b):
    def inner(x, *rest, y=a + b, **more):
        if x:
            return x + y, rest, more
        return "zero"
    return inner(a, b), inner(a, y=5, z=6)


@case((1,), (0,))
def decorated_inner_function(log, c):
    def twice(f):
        return lambda x: f(f(x))

    @twice
    def step(x):
        if c:
            return x + 1
        return x - 1
    return step(3)


@case((3,))
def inner_generator_and_class(log, n):
    class Local:
        size = n if n > 2 else 0
        items = [i for i in range(2)]

        def get(self):
            return self.size if self.size else "none"

    def generate():
        for i in range(n):
            if i == 1:
                continue
            yield i
    return list(generate()), Local().get(), Local.items


@case((1,), (0,))
def unreachable_code_makes_names_local(log, c):
    if c:
        return counter_  # noqa: F821
    return "fine"
    counter_ = 1  # noqa: F841
