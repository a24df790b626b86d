"""Functions of Python's library: what acts on the world outside is told or refused, what can't take staged values says so."""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import datetime
import functools
import heapq
import inspect
import itertools
import json
import logging
import os
import pathlib
import pickle
import pprint
import re
import reprlib
import statistics
import subprocess
import sys
import time
import traceback
import types
import warnings

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, StagedValueError, UnconvertedCallWarning
from dy2st.static import InputSpec

from .agreement import plain

X = InputSpec([None], "float32", "x")


def log(x):
    if x.sum() > 0:
        logging.warning("positive")
    return x


def process(x):
    if x.sum() > 0:
        subprocess.run(["true"])
    return x


def stream(x):
    if x.sum() > 0:
        sys.stdout.write("positive")
    return x


def evaluated(x):
    return eval("x + 1")


def executed(x):
    exec("x.append(1)")
    return x


def own_names(x):
    return len(dir())


def number_as_text(x):
    return json.dumps({"sum": x.sum().item()})


def pattern(x):
    return re.sub("0", "1", str(x.sum()))


@pytest.mark.parametrize(
    "function",
    [log, process, stream, evaluated, executed, own_names, number_as_text, pattern],
    ids=lambda f: f.__name__,
)
def test_refused_at_the_line(function, capfd):
    with pytest.raises(ConversionError, match=re.escape(f"{__file__}:")) as caught:
        paddle.jit.to_static(function, input_spec=[X]).concrete_program
    assert not re.search(r"Staged|_jst|convert_", str(caught.value))
    assert capfd.readouterr() == ("", "")


def test_r_05_the_environment_may_be_read_inside_control_flow():
    def scaled(x):
        if x.sum() > 0 and os.getenv("DY2ST_NO_SUCH_SETTING") is None:
            x = x * float(os.environ.get("DY2ST_NO_SUCH_SETTING", "2"))
        return x + ("PATH" in os.environ)

    static = paddle.jit.to_static(scaled, input_spec=[X])
    for values in ([1.0, 1.0], [-1.0, -1.0]):
        x = paddle.to_tensor(values)
        assert static(x).tolist() == scaled(x).tolist()

    def written(x):
        if x.sum() > 0:
            os.environ["DY2ST_NO_SUCH_SETTING"] = "1"
        return x

    with pytest.raises(ConversionError, match="may change this _Environ"):
        paddle.jit.to_static(written, input_spec=[X]).concrete_program  # noqa: B018


def test_vars_of_an_object_and_print_to_standard_output(capsys):
    class Pair:
        pass

    def pair(x):
        made = Pair()
        made.first = x
        print("made", file=sys.stdout)
        return vars(made)["first"], "first" in dir(made)

    found = paddle.jit.to_static(pair, input_spec=[X])(paddle.ones([2]))
    assert found[0].numpy().tolist() == [1, 1] and found[1] is True
    assert capsys.readouterr().out == "made\n"


COUNT = InputSpec([], "int64", "n")
READERS = {
    "json": lambda items: json.dumps({"items": items}),
    "pprint": lambda items: pprint.pformat((items, 1)),
    "deepcopy of an object": lambda items: copy.deepcopy(types.SimpleNamespace(items=items)),
    "frozenset": lambda items: len(frozenset(items)),
    "combinations": lambda items: list(itertools.combinations(items, 2)),
    "chained dicts": lambda items: len(collections.ChainMap({"items": items})),
    "heapq": lambda items: heapq.nsmallest(1, items),
    "statistics": lambda items: statistics.mean(items),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_list_known_only_at_run_time_is_not_read(read):
    def function(x, n):
        items = [1, 2]
        if n > 1:
            items.append(3)
        return read(items)

    line = read.__code__.co_firstlineno
    with pytest.raises(ConversionError, match=re.escape(f"{__file__}:{line}: ") + ".*known only when the Program runs"):
        paddle.jit.to_static(function, input_spec=[X, COUNT]).concrete_program


@functools.cache
def table(size):
    return paddle.arange(size)


@functools.lru_cache(maxsize=None)
def fibonacci(k):
    return k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)


def test_cached_functions_keep_nothing_of_a_recording():
    def function(x, n):
        y = x + table(3)
        if n > 1:
            y = y * fibonacci(20) + table(3)
        return y

    x = paddle.ones([3])
    for _ in range(2):
        static = paddle.jit.to_static(function, input_spec=[X, COUNT])
        for n in (0, 2):
            n = paddle.to_tensor(n)
            assert static(x, n).numpy().tolist() == function(x, n).numpy().tolist()


def test_e_02_a_cached_function_of_staged_arguments_is_computed_each_time():
    def function(x, n):
        return fibonacci(int(n))

    static = paddle.jit.to_static(function, input_spec=[X, COUNT])
    for n in (0, 1, 7):
        assert int(static(paddle.ones([3]), paddle.to_tensor(n))) == fibonacci.__wrapped__(n)


def test_dispatch_on_the_class_that_a_value_has_at_run_time():
    @functools.singledispatch
    def kind(value):
        return "other"

    kind.register(int)(lambda value: "int")
    kind.register(float)(lambda value: "float")

    def function(x, n):
        return kind(int(n)), kind(float(n)), kind(x), kind(3)

    n = paddle.to_tensor(2)
    assert paddle.jit.to_static(function, input_spec=[X, COUNT])(paddle.ones([1]), n) == ("int", "float", "other", "int")


@dataclasses.dataclass
class Pair:
    first: object
    second: object


def test_copies_and_fields_of_staged_values():
    def function(x, n):
        pair = Pair(x, [int(n)])
        deep = copy.deepcopy(pair)
        deep.second.append(3)
        if n > 1:
            deep.first[0] = 9.0
        changed = dataclasses.replace(pair, first=int(n))
        return dataclasses.asdict(changed), dataclasses.astuple(deep), pair.first, copy.copy([n])

    static = paddle.jit.to_static(function, input_spec=[X, COUNT])
    for n in (0, 2):
        arguments = paddle.ones([2]), paddle.to_tensor(n)
        assert plain(static(*arguments)) == plain(function(*arguments))


@pytest.mark.parametrize(
    "use",
    [
        lambda n: reprlib.repr([n]),
        lambda n: pickle.dumps(n),
        lambda n: logging.getLogger("none").debug("%r", n),
        lambda n: warnings.warn(f"{n}", stacklevel=1),
        lambda n: "%r {}".format(n) % n if n else traceback.format_exc(),
        lambda n: n.bit_length(),
        lambda n: hash(n),
    ],
)
@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
def test_no_placeholder_is_shown_or_kept(use, capfd):
    def function(x, n):
        return use(int(n))

    with pytest.raises((ConversionError, StagedValueError), match=re.escape(f"{__file__}:")) as caught:
        paddle.jit.to_static(function, input_spec=[X, COUNT]).concrete_program
    assert not re.search(r"<staged|Staged", str(caught.value))
    assert capfd.readouterr() == ("", "")


def test_a_method_that_other_code_calls_must_not_change_what_only_the_program_knows():
    def function(x, n):
        notes = []
        with contextlib.ExitStack() as stack:
            stack.callback(notes.append, 3)
            if n > 1:
                notes.append(1)
        return notes

    with pytest.raises(ConversionError, match="something that isn't converted has changed it"):
        paddle.jit.to_static(function, input_spec=[X, COUNT]).concrete_program


PATTERN, DAY = re.compile("a([0-9]+)"), datetime.date(2024, 2, 29)


def r_05_pattern(x):
    total = 0
    while total < x.sum():
        match = PATTERN.match("a2")
        total += int(match.group(1)) + len(PATTERN.sub("", "a1b"))
    return x * total


def r_05_dates(x):
    days = 0
    while days < x.sum():
        days += DAY.weekday() + int(DAY.strftime("%d")) + (DAY - datetime.date(2024, 2, 1)).days
    return x * days


def r_05_times(x):
    year = time.gmtime(0).tm_year
    if x.sum() > 0:
        x = x * time.gmtime(3).tm_sec + int(time.strftime("%m", time.gmtime(0)))
    return x * year


def r_05_bytes(x):
    if x.sum() > 0:
        x = x * (258).to_bytes(2, "big")[1] + int.from_bytes(b"ab", "big")
    return x


def r_05_paths(x):
    path = pathlib.PurePosixPath("a/b.txt")
    if x.sum() > 0:
        x = x * len(path.with_suffix(".py").name)
    return x


@pytest.mark.parametrize("function", [r_05_pattern, r_05_dates, r_05_times, r_05_bytes, r_05_paths], ids=lambda f: f.__name__)
def test_what_never_changes_is_asked_in_staged_control_flow(function):
    static = paddle.jit.to_static(function, input_spec=[X])
    for values in ([1.0, 2.0], [-1.0, 0.5]):
        assert static(paddle.to_tensor(values)).tolist() == function(paddle.to_tensor(values)).tolist()


@pytest.mark.parametrize(
    "clock",
    [
        lambda x: x * time.time(),
        lambda x: x * time.gmtime().tm_sec,
        lambda x: x * len(time.strftime("%d")),
        lambda x: x * datetime.date.today().day,
        lambda x: x * datetime.datetime.now().second,
    ],
)
def test_the_clock_is_refused(clock):
    with pytest.raises(ConversionError, match="can't become part of a Program; .*pass the time in"):
        paddle.jit.to_static(clock, input_spec=[X]).concrete_program


@pytest.mark.parametrize(
    "look", [lambda x: inspect.currentframe().f_lineno, lambda x: len(inspect.stack()), lambda x: sys._getframe().f_lineno]
)
def test_s_18_frames_are_refused(look):
    with pytest.raises(ConversionError, match="can't become part of a Program; other functions stand between those that you"):
        paddle.jit.to_static(look, input_spec=[X]).concrete_program


def warns(x, *level):
    warnings.warn("here", DeprecationWarning, *level)
    if level:
        for _ in level:
            warnings.warn("there", *level[1:], stacklevel=level[0])
    return x


def calls_what_warns(x):
    x = warns(x)
    if x.ndim == 1:
        with paddle.no_grad():
            x = warns(x, 2)
    return warns(warns(x, 1), 3)


def test_s_18_a_warning_names_the_line_that_it_names_in_python():
    def told(function):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            function(paddle.ones([2]))
        return [(w.category, str(w.message), w.filename, w.lineno) for w in found if w.category is not UnconvertedCallWarning]

    static = paddle.jit.to_static(calls_what_warns)
    assert told(static) == told(calls_what_warns)


class Shown:
    """C code and libraries call its methods, and catch any TypeError that these raise."""

    def __init__(self, number):
        self.number = number

    def __repr__(self):
        return "<%d>" % self.number

    def __reduce__(self):
        return Shown, (int(repr(self)[1:-1]),)


@pytest.mark.parametrize("read", [reprlib.repr, copy.copy, copy.deepcopy, pickle.dumps, pprint.pformat], ids=lambda f: f.__name__)
def test_a_refusal_that_a_library_catches_is_told(read):
    with pytest.raises(StagedValueError, match="known only when the Program runs"):
        paddle.jit.to_static(lambda n: (read(Shown(n)), n)[1])(paddle.to_tensor(3))


def test_a_log_that_is_written_once_says_what_to_write():
    logger = logging.Logger("of this test")

    def function(x):
        logger.warning("seen")
        return x

    with pytest.warns(paddle.errors.UnconvertedCallWarning, match="which prints at each run, or log outside"):
        paddle.jit.to_static(function)(paddle.to_tensor([1.0]))


def test_a_signature_binds_values_of_the_program():
    def scaled(x, scale=2.0, *rest, **more):
        return x

    signature = inspect.signature(scaled)

    def function(x, n):
        bound = signature.bind(x * 2, *([x] if len(x.shape) > 1 else []), n + 1, more=n)
        bound.apply_defaults()
        partial = signature.bind_partial(scale=x)
        return bound.arguments["x"] * bound.args[1] + bound.kwargs["more"] + partial.arguments["scale"]

    x, n = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor(3.0)
    static = paddle.jit.to_static(function, input_spec=[X, InputSpec([], "float32", "n")])
    assert static(x, n).tolist() == function(x, n).tolist()
