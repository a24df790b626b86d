"""What a rewritten function shares with the user's: cells, defaults, names, class context, position in its file."""

import traceback

import pytest
from plain_runtime import PlainRuntime, converted

from dy2st.converted_code import is_converted
from dy2st.errors import ConversionError, SourceUnavailableError
from dy2st.transformers import transpile


class Base:
    def value(self):
        return "base"


class Child(Base):
    __secret = 41

    def value(self):
        if self.__secret:
            return super().value() + str(self.__reveal()) + __class__.__name__
        return None

    def __reveal(self, __x=1):
        return self.__secret + __x

    @staticmethod
    def nested():
        def inner(self):
            for _ in range(1):
                return self.__secret
        return inner


def test_super_and_private_names():
    child = Child()
    assert converted(Child.value)(child) == child.value() == "base42Child"
    assert converted(Child.__dict__["_Child__reveal"])(child) == 42
    assert converted(Child.nested())(child) == 41


def test_cells_defaults_and_attributes_are_shared():
    count = 0

    def add(k, *, step=2):
        """Doc."""
        nonlocal count
        if k:
            count += k * step
        return count

    add.mark = "kept"
    twin = converted(add)
    assert twin(3) == 6 and count == 6
    assert twin.__closure__[twin.__code__.co_freevars.index("count")] is add.__closure__[0]
    assert (twin.__name__, twin.__qualname__, twin.__doc__, twin.mark) == ("add", add.__qualname__, "Doc.", "kept")
    assert twin.__kwdefaults__ == {"step": 2} and twin.__globals__ is add.__globals__
    assert "_jst" not in globals()


def test_converted_once_per_code_object():
    def make(k):
        def inner(x):
            return x + k if x else k
        return inner

    one, two = make(1), make(2)
    assert transpile(one) is transpile(two)
    assert (converted(one)(5), converted(two)(5)) == (6, 7)


def test_lambdas_on_one_line():
    f, g, h = (lambda x: x + 1), (lambda x: x + 2 if x else 0), (lambda x, k=3: (lambda y: x + y)(k))
    assert [converted(each)(5) for each in (f, g, h)] == [6, 7, 8]
    assert transpile(f).source == "lambda x: x + 1\n"
    same = [lambda x: x[0], lambda x: x[0]]
    first, second = (transpile(each).instantiate(each, PlainRuntime) for each in same)
    assert first([4]) == second([4]) == 4
    if hasattr(first.__code__, "co_positions"):
        assert max(p[2] for p in first.__code__.co_positions() if p[2]) < min(
            p[2] for p in second.__code__.co_positions() if p[2])


def test_inner_functions_are_converted():
    def outer(c):
        def inner(x):
            return x
        return inner

    inner = converted(outer)(1)
    assert is_converted(inner.__code__) and not is_converted(outer.__code__) and is_converted(converted(outer).__code__)


def test_a_generator_hands_its_items_to_a_consumer():
    def count(log, n):
        try:
            for i in range(n):
                log.append("before")
                yield i
            yield from [7, 8]
        finally:
            log.append("closed")

    transpiled = transpile(count)
    assert not transpiled.generator.is_resumable
    for stop in (0, 1, 7, 9):
        log, taken = [], []

        def consume(item):
            taken.append(item)
            return item == stop  # noqa: B023

        converted(count)(log, 2, **{transpiled.generator.consumer: consume})
        expected: list = []
        for item in count(plain := [], 2):
            expected.append(item)
            if item == stop:
                break
        assert (taken, log) == (expected, plain)


def test_a_generator_with_a_yield_that_cannot_be_pushed_is_refused_at_its_line():
    def inside_an_expression(x):
        return [(yield x), 2]

    def inside_except(x):
        try:
            x = x / 0
        except ValueError:
            yield x

    for function, words in ((inside_an_expression, "statement of its own"), (inside_except, "inside 'except'")):
        line = function.__code__.co_firstlineno + 1
        with pytest.raises(ConversionError, match=rf"{__file__}:{line}: the generator '{function.__name__}' .*{words}"):
            transpile(function)


async def coroutine():
    return 1


def test_what_cant_be_converted():
    with pytest.raises(ConversionError, match=rf"{__file__}:{coroutine.__code__.co_firstlineno}: 'async def coroutine'"):
        transpile(coroutine)
    with pytest.raises(ConversionError, match="plain Python function"):
        transpile(len)

    def takes_the_name():
        _jst = 1
        return _jst

    with pytest.raises(ConversionError, match="'_jst' belongs"):
        transpile(takes_the_name)


def test_missing_source_names_the_cure():
    namespace = {}
    exec("def f(x): return x", namespace)
    with pytest.raises(SourceUnavailableError, match="define the function in a .py file"):
        transpile(namespace["f"])


def raises_on_purpose(x):
    total = 0
    for i in range(x):
        if i == 2:
            total = total / (i - 2)
        total += i
    return total


def test_tracebacks_show_the_users_lines():
    first = raises_on_purpose.__code__.co_firstlineno
    try:
        converted(raises_on_purpose)(4)
    except ZeroDivisionError as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == __file__]
    assert frames[-1].lineno == first + 4
    assert frames[-1].line == "total = total / (i - 2)"
    assert [frame.lineno - first for frame in frames[1:]] == [2, 3, 4]
    assert converted(raises_on_purpose).__code__.co_filename == __file__


def test_annotated_source_shows_the_users_lines():
    first = raises_on_purpose.__code__.co_firstlineno
    lines = transpile(raises_on_purpose).annotated().splitlines()
    assert f"    total = 0  # {first + 1}" in lines
    assert f"    for_iter_0 = _jst.iter(_jst.call(range)(x))  # {first + 2}: for i in range(x):" in lines
    assert "    def for_body_0(total):" in lines
    assert f"            return total / (i - 2)  # {first + 4}" in lines


limit = 3


def reads_from_outside(self, x, other):
    cfg = self.cfg
    other = x
    for item in cfg.items:
        x = x + cfg.alpha.beta * item.size
    return x.sum() + limit + other.size


def test_access_paths():
    paths = transpile(reads_from_outside).access_paths
    assert ("self", "local_param", ("cfg",)) in paths
    assert ("self", "local_param", ("cfg", "alpha", "beta")) in paths
    assert ("limit", "global", ()) in paths
    assert not [path for path in paths if path[0] in ("item", "other", "cfg", "x")]
