"""Which Functions of a Program are called, how they are named, and what a call of a recursion may do."""

from __future__ import annotations

from ir.programs import by_name

from dy2st.ir.builder import Builder
from dy2st.ir.effects import EffectAnalysis
from dy2st.ir.functions import add_function, called, recursive_functions, tidy
from dy2st.ops.registry import OPERATORS


def chain(*calls: tuple[str, str]):
    """A Program whose Functions, in the order of first mention, call each other as told and give None."""
    b = Builder()
    for name in dict.fromkeys(name for pair in calls for name in pair):
        with b.function(name):
            for caller, callee in calls:
                if caller == name:
                    b.call(callee, types=())
            b.return_(b.const(None))
    return b.program


def test_recursive_functions():
    assert recursive_functions(chain(("main", "a"), ("a", "b"), ("b", "a"), ("b", "c"))) == {"a", "b"}
    assert recursive_functions(by_name("recursion").build()) == {"main"}


def test_a_recursion_may_go_too_deep_and_another_call_without_effect_can_go():
    program = chain(("main", "a"), ("main", "b"), ("a", "a"))
    effects = EffectAnalysis(program, OPERATORS)
    recursion, plain = program.entry.block.ops[:2]
    assert effects.effects_of(recursion).raises == {"RecursionError"} and not effects.can_remove(recursion)
    assert effects.can_remove(plain)


def test_tidy_keeps_what_is_called_in_the_order_of_the_calls():
    program = chain(("f#1", "f#1"), ("main", "g#2"), ("main", "f#3"), ("f#3", "<lambda>#4"), ("g#2", "f#5"))
    program.functions = {"main": program.functions["main"], **program.functions}
    tidy(program)
    assert list(program.functions) == ["main", "g", "f", "f_1", "lambda"]
    assert [called(f) for f in program.functions.values()] == [["g", "f"], ["f_1"], ["lambda"], [], []]


def test_provisional_names_differ():
    program = chain(("main", "f"))
    assert add_function(program, "f").name != add_function(program, "f").name
