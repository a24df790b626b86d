"""Faults to plant in dy2st, one idea each.

What a careless change to staging, the rewriter, or the engine's neighbours would do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from dy2st.jit.static.concrete import ConcreteProgram
from dy2st.runtime import convert, proxies
from dy2st.runtime.control import loop, recursion
from dy2st.runtime.control import trial as staging
from dy2st.runtime.convert.builtins import table as builtins_
from dy2st.runtime.convert.iteration import comprehensions, entries, loops, unpacking
from dy2st.runtime.convert.operations import casts, ifelse, ranges, try_
from dy2st.runtime.heap import journal, natives
from dy2st.runtime.joining.plans import Same
from dy2st.runtime.outside import facts
from dy2st.runtime.recorder import recorder as static
from dy2st.runtime.recorder import try_bodies as attempts
from dy2st.transformers.break_continue import LoopJumps

Plant = Callable[[Any], None]  # takes pytest's monkeypatch
FAULTS: dict[str, tuple[Plant, str, int]] = {}  # each with a pattern of the functions that it can show in, and a seed


def fault(pattern: str, seed: int = 0) -> Callable[[Plant], Plant]:
    """seed: where to begin the search for a function that shows the fault; it may be far to the first one."""

    def note(plant: Plant) -> Plant:
        FAULTS[plant.__name__] = (plant, pattern, seed)
        return plant

    return note


@fault("else:")
def a_dropped_else(patch: Any) -> None:
    true_stage_if = ifelse.stage_if

    def nothing(*values: Any) -> Any:
        return None if not values else values[0] if len(values) == 1 else values

    def stage_if(rec: Any, condition: Any, true_fn: Any, false_fn: Any, names: tuple = (), *more: Any) -> Any:
        return true_stage_if(rec, condition, true_fn, nothing if names else false_fn, names, *more)

    patch.setattr(ifelse, "stage_if", stage_if)


@fault(r"add_|x\d\[.*\] = ")
def a_lost_in_place_write(patch: Any) -> None:
    true_bind = static.Recorder.bind

    def bind(self: Any, definition: Any, operands: tuple, attrs: dict) -> Any:
        if definition.mutates and isinstance(operands[0], static.Tensor):
            return operands[0]
        return true_bind(self, definition, operands, attrs)

    patch.setattr(static.Recorder, "bind", bind)


@fault(r"int\(")
def a_baked_constant(patch: Any) -> None:
    patch.setattr(casts, "_cast_tensor", lambda rec, value, python, dtype: python(1))


@fault(r"for |while ")
def a_loop_carried_value_taken_for_constant(patch: Any) -> None:
    true_rise = loop.rise

    def rise(rec: Any, plan: Any, seen: Any, out: Any, name: str = "") -> Any:
        kept = isinstance(plan, Same) and type(plan.value) is int and not name.startswith(("w", "break", "continue", "return"))
        return plan if kept else true_rise(rec, plan, seen, out, name)

    patch.setattr(loop, "rise", rise)


@fault(r"return .*(l|ll|xs|d)\d")
def a_lost_alias(patch: Any) -> None:
    patch.setattr(natives.Revival, "_keep", lambda self, value, live: live)


@fault(r"if ", seed=14)
def a_journal_that_is_not_rolled_back(patch: Any) -> None:
    for location in (journal.Attribute, journal.Item, journal.Variable):
        patch.setattr(location, "restore", lambda self, value: None)


@fault(r"for .* in range")
def one_iteration_too_many(patch: Any) -> None:
    patch.setattr(ranges.RangeIteration, "_more", lambda self: self.position <= self._length())


@fault(r"break", seed=25)
def an_ignored_break(patch: Any) -> None:
    true_stop_at = LoopJumps.stop_at

    def stop_at(self: Any, node: Any, stops: list) -> None:
        if not isinstance(node, gast.For):
            true_stop_at(self, node, stops)

    patch.setattr(LoopJumps, "stop_at", stop_at)


@fault(r"assert ", seed=87)
def a_swallowed_exception(patch: Any) -> None:
    patch.setattr(convert, "assert_", lambda test, message=None: None)


@fault(r"KEEP|COUNT")
def state_that_is_not_stored(patch: Any) -> None:
    patch.setattr(facts.Facts, "_store", lambda self, rec, slot, value: None)


@fault(r"KEEP|COUNT|SHARED")
def state_that_is_not_written_back(patch: Any) -> None:
    patch.setattr(ConcreteProgram, "_write_state", lambda self, executable, objects: None)


@fault(r"del ", seed=57)
def an_unbound_name_that_reads_as_it_is(patch: Any) -> None:
    patch.setattr(convert, "bound", lambda value, name: value)


@fault(r"for .* in range", seed=5)
def a_loop_without_zero_trips(patch: Any) -> None:
    true_while = loops.convert_while_loop

    def convert_while_loop(condition: Any, body: Any, values: list, over: Any = None, mark: Any = None) -> Any:
        if over is not None and over.is_staged:
            values = list(loops.as_values(body(*values), len(values)))
        return true_while(condition, body, values, over, mark)

    patch.setattr(convert, "convert_while_loop", convert_while_loop)


@fault(r"\n {8,}f\d = ", seed=205)
def an_int_that_hides_a_float(patch: Any) -> None:
    true_join = staging.join

    def join(rec: Any, a: Any, b: Any, *more: Any) -> Any:
        return Same(a) if type(a) is int and type(b) is float else true_join(rec, a, b, *more)

    patch.setattr(staging, "join", join)


@fault(r"except")
def a_handler_that_sees_the_values_from_before_the_try(patch: Any) -> None:
    true_store = attempts.Attempt._store

    def store(self: Any, slot: Any, value: Any) -> None:
        if slot.cell is None:
            true_store(self, slot, value)

    # From Python 3.12 on, no hook is paused there: code of a file of the user's would be refused, since it changes something.
    store.__code__ = store.__code__.replace(co_filename=attempts.__file__)
    patch.setattr(attempts.Attempt, "_store", store)


@fault(r"noting\(l|finally")
def a_generator_whose_finally_is_lost(patch: Any) -> None:
    true_try = try_.convert_try

    def convert_try(body: Any, values: tuple, handlers: list, orelse: Any = None, final: Any = None) -> Any:
        yields = any(name.startswith("consume_") for name in body.__code__.co_freevars)
        return true_try(body, values, handlers, orelse, None if yields else final)

    patch.setattr(convert, "try_", convert_try)


@fault(r"case (Box|Point|int|str)", seed=156)
def a_match_case_that_tests_nothing(patch: Any) -> None:
    patch.setattr(convert, "is_instance", lambda subject, cls, count=0, *names: True)


@fault(r"fib\(")
def a_recursion_that_reuses_the_result_of_its_first_call(patch: Any) -> None:
    true_again = recursion.Recursion.again
    first: list[Any] = []

    def again(self: Any, arguments: Any) -> Any:
        if not self.calls:
            first.append(true_again(self, arguments))
        return first[-1]

    again.__code__ = again.__code__.replace(co_filename=recursion.__file__)  # no code of the user's, which may not change `first`
    patch.setattr(recursion.Recursion, "again", again)


@fault(r" for e in .* if ")
def a_dropped_condition_of_a_comprehension(patch: Any) -> None:
    true_clauses = comprehensions._paired
    patch.setattr(comprehensions, "_paired", lambda clauses: [c for c in true_clauses(clauses) if c[0] != "if"])


@fault(r"discard")
def a_set_that_keeps_what_is_discarded(patch: Any) -> None:
    patch.setattr(proxies.StagedSet, "discard", lambda self, item: None)


@fault(r"for .* in d\d", seed=669)
def a_dict_that_is_iterated_as_it_was_at_first(patch: Any) -> None:
    patch.setattr(entries.Entries, "watch", lambda self: None)


@fault(r"\*l\d.* = ", seed=155)
def a_starred_target_that_takes_one_item_too_many(patch: Any) -> None:
    true_split = unpacking._split

    def split(elements: list, value: Any) -> list:
        parts = true_split(elements, value)
        return [part + part[:1] if type(part) is list else part for part in parts]

    patch.setattr(unpacking, "_split", split)


@fault(r"print")
def a_print_that_happens_while_staging(patch: Any) -> None:
    patch.setitem(builtins_.REPLACEMENTS, print, print)
