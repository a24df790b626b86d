"""Code that isn't converted and looks at the frames of its callers finds those that plain Python has."""

import collections
import logging
import re
import sys
import traceback
import warnings

import pytest

import dy2st as paddle

LIBRARY: dict = {"__name__": "written_in_a_string"}  # its source can't be found, so that it isn't converted
TEXT = """
import sys, warnings

def by_depth(depth):
    frame = sys._getframe(depth)
    return frame.f_code.co_name, frame.f_lineno, frame.f_globals["__name__"]

def by_steps(depth):
    frame = sys._getframe()
    for _ in range(depth):
        frame = frame.f_back
    return frame.f_code.co_name, frame.f_lineno, frame.f_code.co_filename

def by_warning(depth):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        warnings.warn("here", stacklevel=depth + 1)
    return told[0].filename, told[0].lineno

def indirectly(depth):
    return by_steps(depth + 1)

def fails(depth):
    warnings.warn("here", stacklevel=depth)
    return 1 // 0
"""
exec(compile(TEXT, "<library>", "exec"), LIBRARY)
by_depth, by_steps, by_warning, indirectly, fails = (
    LIBRARY[name] for name in ("by_depth", "by_steps", "by_warning", "indirectly", "fails")
)


@paddle.jit.not_to_static
def unconverted(depth):
    frame = sys._getframe(depth)
    return frame.f_code.co_name, frame.f_lineno


class Records(logging.Handler):
    def emit(self, record):
        self.last = record.filename, record.lineno, record.funcName


RECORDS = Records()
LOG = logging.getLogger("dy2st.tests.frames")
LOG.addHandler(RECORDS)
LOG.propagate = False


def by_logging(depth):
    LOG.warning("here", stacklevel=depth)
    return RECORDS.last


def by_text(depth):
    found = {}
    exec("import sys; found['it'] = sys._getframe(depth).f_code.co_name", {"depth": depth, "found": found})
    return found["it"]


def by_class(depth):
    return collections.namedtuple("Pair", "a b").__module__, depth


def by_pattern(depth):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        re.purge()
        re.compile("[[a]" + "a" * depth)
    return told[0].filename, told[0].lineno


def straight(look, depth):
    return look(depth)


def in_branch(look, depth):
    if depth:
        found = look(depth)
    return found


def in_loop(look, depth):
    found = []
    for _ in range(2):
        while not found:
            found.append(look(depth))
    return found


def in_handler(look, depth):
    try:
        raise KeyError
    except KeyError:
        return look(depth)


def in_manager(look, depth):
    with warnings.catch_warnings():
        return look(depth)


def in_callback(look, depth):
    return [*map(lambda k: look(k), [depth])]


PLACES = (straight, in_branch, in_loop, in_handler, in_manager, in_callback)
LOOKING = (by_depth, by_steps, by_warning, indirectly, unconverted, by_logging, by_text, by_class, by_pattern)


def around(place, look, depth):
    if depth:
        return place(look, depth)


def settled(function, *args):
    """What a function gives, without the warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args)


def finds_the_same(place, look, depth):
    expected = settled(around, place, look, depth)
    assert settled(paddle.jit.to_static(around), place, look, depth) == expected


@pytest.mark.parametrize("look", LOOKING, ids=lambda look: look.__name__)
def test_s_18_unconverted_code_finds_the_frames_of_its_callers(look):
    finds_the_same(PLACES[LOOKING.index(look) % len(PLACES)], look, 2)


@pytest.mark.long
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
@pytest.mark.parametrize("look", LOOKING, ids=lambda look: look.__name__)
def test_s_18_wherever_it_is_called(place, look, depth):
    finds_the_same(place, look, depth)


def fails_in_library(x):
    for _ in range(2):
        if x.ndim == 1:
            fails(1)
    return x


def test_s_18_the_traceback_has_each_call_once():
    def entries(function):
        with pytest.raises(ZeroDivisionError) as caught:
            settled(function, paddle.ones([2]))
        return [(entry.name, entry.lineno) for entry in traceback.extract_tb(caught.value.__traceback__)][-2:]

    assert entries(paddle.jit.to_static(fails_in_library)) == entries(fails_in_library)
