"""What a review says of each `if` and each loop: against a table, and against what plain Python does with random functions."""

from __future__ import annotations

import inspect

import pytest
from cli.review import models
from property.compare import compared, made
from property.coverage import Tracer
from property.generate import write_module
from property.modules import specs
from support.sampling import random_functions, seed_in_failure

from dy2st import jit
from dy2st.cli.check import reached_from
from dy2st.cli.review.statements import told
from dy2st.static import InputSpec

LINES = inspect.getsource(models).split("\n")
TENSOR = "its condition is bool[], known only when the Program runs"
RUN = "its condition is known only when the Program runs"
WHAT = {
    "net": {
        "for gate in self.gates:": "unrolled: 2 turns; what it iterates is known while staging",
        "if self.scale > 1:": "run by Python: its condition is known while staging: True",
        "elif self.scale < 0:": "not met: the recording never came to this line",
        "while x.sum() > 10.5:  # halves it": f"staged: {RUN}",
        "for row in x:": "staged: how many items there are is known only when the Program runs",
        "if row.max() < -4.75:": f"staged: {TENSOR}",
        "if row.min() > 5.75:": f"staged: {TENSOR}",
        "while n < 3:": "run by Python: 3 turns, in which nothing is recorded; its condition is known while staging",
        "for i in range(100):": "staged: its 100 turns record the same, and are recorded once",
        "for j in range(20):": "unrolled: 20 turns; a break or return leaves it, which only the Program decides",
        "if total.sum() > 8.75:": f"staged: {TENSOR}",
        "return total if total.sum() > 9.75 else helper(total)": f"staged: {TENSOR}",
        "if strict:": "run by Python: its condition is known while staging: False",
        "if x.sum() > 0.125:": f"staged: {TENSOR}",
        "case 4:": "run by Python: its condition is known while staging: True",
        "return paddle.concat([row * 13.75 for row in [x, x]])": "unrolled: 2 turns; what it iterates is known while staging",
    },
    "once_then_carried": {
        "while x.sum() < 10:": f"staged: {RUN}",
        "if first:": "staged: its condition is bool, known only when the Program runs",
    },
    "by_the_call": {"if is_open:": "run by Python: its condition is known while staging: True and False"},
    "numbers": {
        "for number in counted(x):": "unrolled: 2 turns; the generator 'counted' gives the items while staging",
        "if number > 2:": "run by Python: its condition is known while staging: False and True",
        "while x.sum() < 0:": f"staged: {RUN}",
    },
    "moved": {
        "for row in halves(x):": "moved: the generator 'halves' runs the body for each item, where that arises",
        "while x.sum() > 1:": f"staged: {RUN}",
    },
    "stepping": {
        "for k in range(3):": "moved: its generator is asked for one item at a time, and goes on where it was",
        "if k > 0:": "run by Python: its condition is known while staging: False and True",
    },
    "caught": {
        "for k in range(4):": "unrolled: 3 turns; what it iterates is known while staging",
        "if k == 2:": "run by Python: its condition is known while staging: False and True",
    },
    "without_effect": {
        "for _ in range(2):": "unrolled: 2 turns; what it iterates is known while staging",
        "if x.sum() > 0:": f"staged: {TENSOR}",
        "elif x.sum() < -1:": f"staged: {TENSOR}",
    },
}


@pytest.mark.parametrize("name", WHAT)
def test_it_says_what_became_of_each(name):
    function = getattr(models, name)
    concrete = jit.to_static(function, input_spec=[InputSpec([None, 4], "float32", "x")])
    fates = getattr(concrete, "forward", concrete).concrete_program.fates
    codes = {one.function.__code__: one.function for one in reached_from(function)}
    found = {LINES[one.line - 1].strip(): f"{one.how}: {one.why}" for f in codes.values() for one in told(f, fates)}
    assert found == WHAT[name]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
@random_functions(1000, 20)
def test_what_plain_python_does_agrees(seeds):
    """A line that some call comes to was met, and an `if` that Python runs goes the way that it is said to go."""
    for seed in seeds:
        with seed_in_failure(seed, __file__):
            text, tracer = write_module(seed), Tracer()
            assert [*_contradictions(text, tracer)] == []


def _contradictions(text, tracer):
    found = {}

    def stage(module, report):
        function = jit.to_static(module.f, input_spec=specs())
        if made(lambda: function.concrete_program, report) is not None:
            for one in told(module.f, function.concrete_program.fates):
                found.setdefault(one.line, []).append(one)

    compared(text, stage, tracer.traced)
    lines = text.split("\n")
    for line, side in tracer.seen if found else ():
        hows = {one.how for one in found.get(line, ())}
        if not hows or hows == {"not met"}:
            yield lines[line - 1], "was met"
        elif lines[line - 1].lstrip().startswith(("if ", "elif ")) and hows == {"run by Python"}:
            if str(side) not in " ".join(one.why for one in found[line]):
                yield lines[line - 1], side
