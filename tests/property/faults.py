"""Faults to plant in dy2st, one idea each.

What a careless change to staging, the rewriter, or the engine's neighbours would do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from dy2st.jit.concrete import ConcreteProgram
from dy2st.runtime import convert, facts, journal, loop, natives, staging, static
from dy2st.runtime.convert import builtins_, casts, ifelse, iteration, loops
from dy2st.runtime.plans import Same
from dy2st.transformers.break_continue import LoopJumps

Plant = Callable[[Any], None]  # takes pytest's monkeypatch
FAULTS: dict[str, Plant] = {}


def fault(plant: Plant) -> Plant:
    FAULTS[plant.__name__] = plant
    return plant


@fault
def a_dropped_else(patch: Any) -> None:
    true_stage_if = ifelse.stage_if

    def nothing(*values: Any) -> Any:
        return None if not values else values[0] if len(values) == 1 else values

    def stage_if(rec: Any, condition: Any, true_fn: Any, false_fn: Any, names: tuple = (), *more: Any) -> Any:
        return true_stage_if(rec, condition, true_fn, nothing if names else false_fn, names, *more)

    patch.setattr(ifelse, "stage_if", stage_if)


@fault
def a_lost_in_place_write(patch: Any) -> None:
    true_bind = static.Recorder.bind

    def bind(self: Any, definition: Any, operands: tuple, attrs: dict) -> Any:
        if definition.mutates and isinstance(operands[0], static.Tensor):
            return operands[0]
        return true_bind(self, definition, operands, attrs)

    patch.setattr(static.Recorder, "bind", bind)


@fault
def a_baked_constant(patch: Any) -> None:
    patch.setattr(casts, "_cast_tensor", lambda rec, value, python, dtype: python(1))


@fault
def a_loop_carried_value_taken_for_constant(patch: Any) -> None:
    true_rise = loop.rise

    def rise(rec: Any, plan: Any, seen: Any, out: Any, name: str = "") -> Any:
        kept = isinstance(plan, Same) and type(plan.value) is int and not name.startswith(("w", "break", "continue", "return"))
        return plan if kept else true_rise(rec, plan, seen, out, name)

    patch.setattr(loop, "rise", rise)


@fault
def a_lost_alias(patch: Any) -> None:
    patch.setattr(natives.Revival, "_keep", lambda self, value, live: live)


@fault
def a_journal_that_is_not_rolled_back(patch: Any) -> None:
    for location in (journal.Attribute, journal.Item, journal.Variable):
        patch.setattr(location, "restore", lambda self, value: None)


@fault
def one_iteration_too_many(patch: Any) -> None:
    patch.setattr(iteration.RangeIteration, "_more", lambda self: self.position <= self._length())


@fault
def an_ignored_break(patch: Any) -> None:
    true_stop_at = LoopJumps.stop_at

    def stop_at(self: Any, node: Any, stops: list) -> None:
        if not isinstance(node, gast.For):
            true_stop_at(self, node, stops)

    patch.setattr(LoopJumps, "stop_at", stop_at)


@fault
def a_swallowed_exception(patch: Any) -> None:
    patch.setattr(convert, "convert_assert", lambda test, message=None: None)


@fault
def state_that_is_not_stored(patch: Any) -> None:
    patch.setattr(facts.Facts, "_store", lambda self, rec, slot, value: None)


@fault
def state_that_is_not_written_back(patch: Any) -> None:
    patch.setattr(ConcreteProgram, "_write_state", lambda self, executable, objects: None)


@fault
def an_unbound_name_that_reads_as_it_is(patch: Any) -> None:
    patch.setattr(convert, "bound", lambda value, name: value)


@fault
def a_loop_without_zero_trips(patch: Any) -> None:
    true_while = loops.convert_while_loop

    def convert_while_loop(condition: Any, body: Any, values: list, over: Any = None, mark: Any = None) -> Any:
        if over is not None and over.is_staged:
            values = list(loops.as_values(body(*values), len(values)))
        return true_while(condition, body, values, over, mark)

    patch.setattr(convert, "convert_while_loop", convert_while_loop)


@fault
def an_int_that_hides_a_float(patch: Any) -> None:
    true_join = staging.join

    def join(rec: Any, a: Any, b: Any, *more: Any) -> Any:
        return Same(a) if type(a) is int and type(b) is float else true_join(rec, a, b, *more)

    patch.setattr(staging, "join", join)


@fault
def a_print_that_happens_while_staging(patch: Any) -> None:
    patch.setitem(builtins_.REPLACEMENTS, print, print)
