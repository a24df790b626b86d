"""Functions of Python's library: what acts on the world outside is told or refused, what can't take staged values says so."""

from __future__ import annotations

import collections
import copy
import heapq
import itertools
import json
import logging
import os
import pprint
import re
import statistics
import subprocess
import sys
import types

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, UnconvertedCallWarning
from dy2st.static import InputSpec

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


def printed(x):
    if x.sum() > 0:
        print("positive", file=sys.stderr)
    return x


def evaluated(x):
    return eval("x + 1")


def executed(x):
    exec("x.append(1)")
    return x


def names(x):
    return len(locals())


def own_names(x):
    return len(dir())


def variables(x):
    return len(vars())


def number_as_text(x):
    return json.dumps({"sum": x.sum().item()})


def pattern(x):
    return re.sub("0", "1", str(x.sum()))


@pytest.mark.parametrize(
    "function",
    [log, process, stream, printed, evaluated, executed, names, own_names, variables, number_as_text, pattern],
    ids=lambda f: f.__name__,
)
def test_refused_at_the_line(function, capfd):
    with pytest.raises(ConversionError, match=re.escape(f"{__file__}:")) as caught:
        paddle.jit.to_static(function, input_spec=[X]).concrete_program
    assert not re.search(r"Staged|_jst|convert_", str(caught.value))
    assert capfd.readouterr() == ("", "")


def test_outside_of_control_flow_it_happens_once_with_a_warning():
    def setting(x):
        return x * float(os.environ.get("DY2ST_NO_SUCH_SETTING", "2"))

    with pytest.warns(UnconvertedCallWarning, match="called once, while staging"):
        static = paddle.jit.to_static(setting, input_spec=[X])
        assert static(paddle.ones([2])).numpy().tolist() == [2, 2]


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
    "deepcopy": lambda items: copy.deepcopy([items]),
    "deepcopy of an object": lambda items: copy.deepcopy(types.SimpleNamespace(items=items)),
    "frozenset": lambda items: len(frozenset(items)),
    "Counter": lambda items: len(collections.Counter(items)),
    "deque": lambda items: len(collections.deque(items)),
    "combinations": lambda items: list(itertools.combinations(items, 2)),
    "chained dicts": lambda items: len(collections.ChainMap({"items": items})),
    "fromkeys": lambda items: dict.fromkeys([0], items),
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
