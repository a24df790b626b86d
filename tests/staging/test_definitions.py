"""What Python knows of functions and classes that are defined inside a function: hints, names, where they come from."""

from __future__ import annotations

import collections
import enum
import functools
import sys
import typing

import pytest

import dy2st as paddle

from .ordinary import assert_as_in_python

_ = str.upper


def s_10_an_outer_name():
    kept = []
    for _ in range(2):
        try:
            kept.append(1 // _)
        except ZeroDivisionError:
            kept.append(_)
    return kept


def s_10_a_global_function():
    try:
        return 1 // 0
    except ZeroDivisionError:
        return _("no")


def s_10_stored_in_the_handler():
    try:
        1 // 0
    except ZeroDivisionError:
        _ = 99
    return _


def s_10_nested_handlers():
    try:
        1 // 0
    except ZeroDivisionError:
        try:
            [][0]
        except IndexError:
            return _("both")


def s_17_dispatch_by_hint():
    @functools.singledispatch
    def kind(value):
        return "object"

    @kind.register
    def of_int(value: int):
        return "int"

    return kind(1), kind("a")


def s_18_names_of_local_classes_and_functions():
    class Local:
        class Inner:
            def method(self):
                return lambda: 0

        def method(self):
            def inner(): ...

            return inner

    def function(): ...

    found = [Local, Local.Inner, Local.method, Local.Inner.method, Local().method(), Local.Inner().method(), function]
    return [each.__qualname__ for each in found], [each.__module__ for each in found], repr(Local)


def s_18_names_inside_control_flow():
    for i in range(1):
        class InLoop:
            def method(self): ...

        def in_loop(): ...

    if i == 0:
        def in_branch():
            def inner(): ...

            return inner
    try:
        class InTry: ...
    finally:
        pass
    return [each.__qualname__ for each in (InLoop, InLoop.method, in_loop, in_branch, in_branch(), InTry)]


def s_18_modules_of_what_is_made_inside():
    made = [
        collections.namedtuple("P", "a b"),
        enum.Enum("E", "A B"),
        enum.IntFlag("F", "A B"),
        typing.NamedTuple("N", [("a", int)]),
        typing.TypeVar("T"),
        typing.NewType("I", int),
        type("C", (), {}),
    ]
    if made:
        made.append(collections.namedtuple("Q", "a"))
    return [each.__module__ for each in made], made[0](1, 2)


CASES = [case for name, case in list(globals().items()) if name.startswith("s_1")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_definitions_are_as_in_plain_python(case):
    assert_as_in_python(case)


HINTS_THAT_ARE_EVALUATED = '''
def local_hints(flag=True):
    if flag:
        class Local: ...
    else:
        Local = int
    for i in range(1):
        kind = Local

    def inner(a: Local, *rest: kind) -> [str]: ...

    class Holder:
        def method(self, x: Local): ...

    return [hint.__name__ for hint in (*list(inner.__annotations__.values())[:2], Holder.method.__annotations__["x"])]


def raising_hint():
    try:
        def inner(a: undefined): ...
    except NameError as error:
        return str(error)
'''


def test_s_17_hints_are_evaluated_where_the_function_is_defined(tmp_path, monkeypatch):
    (tmp_path / "hints_that_are_evaluated.py").write_text(HINTS_THAT_ARE_EVALUATED)
    monkeypatch.syspath_prepend(tmp_path)
    import hints_that_are_evaluated

    assert_as_in_python(hints_that_are_evaluated.local_hints)
    assert_as_in_python(hints_that_are_evaluated.raising_hint)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 doesn't tell the names of nested code")
def test_names_of_what_global_declares():
    def names():
        global Declared, declared

        class Declared:
            def method(self):
                return lambda: 0

        def declared():
            return lambda: 0

        found = Declared, Declared.method, Declared().method(), declared, declared()
        return [each.__qualname__ for each in found]

    assert paddle.jit.to_static(names)() == names()
