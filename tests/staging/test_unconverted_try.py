"""A `try` of code that isn't converted can't catch what is raised when the Program runs: that is refused."""

import pytest

from dy2st import jit, ones, to_tensor
from dy2st.errors import ConversionError
from dy2st.static import InputSpec


def tenth(k):
    return 10 // k


def _stage_once(k):
    return tenth(k)


def _trace_once(k):
    return tenth(k)


class Careful:
    """Python itself calls `__round__`, which isn't converted."""

    def __init__(self, function, k):
        self.function, self.k = function, k

    def __round__(self, digits):
        try:
            return self.function(self.k)
        except ZeroDivisionError:
            return -1


class Careless(Careful):
    def __round__(self, digits):
        return self.function(self.k)


def rounded(cls, function):
    def f(n):
        return round(cls(function, int(n)), 1)

    return jit.to_static(f, input_spec=[InputSpec([], "int64", "n")])


@pytest.mark.parametrize("function", [tenth, _stage_once, _trace_once])
def test_it_is_refused_whatever_the_functions_on_the_way_are_called(function):
    with pytest.raises(ConversionError, match="the 'try' around it can't catch it"):
        rounded(Careful, function).concrete_program  # noqa: B018


@pytest.mark.parametrize("function", [tenth, _stage_once, _trace_once])
def test_without_a_try_the_program_raises(function):
    static = rounded(Careless, function)
    assert int(static(to_tensor(5))) == 2
    with pytest.raises(ZeroDivisionError):
        static(to_tensor(0))


def test_a_try_around_the_call_of_the_program_is_no_part_of_it():
    static = rounded(Careless, tenth)
    try:
        caught = static(to_tensor(0))
    except ZeroDivisionError:
        caught = None
    assert caught is None
    assert int(static(to_tensor(5))) == 2


def test_a_try_around_a_trace_is_no_part_of_it():
    def parts(x):
        return x * (10 // x.shape[0])

    try:
        traced = jit.trace(parts, (ones([5]),))
    except ZeroDivisionError:
        traced = None
    assert traced(ones([2])).numpy().tolist() == [5, 5]
