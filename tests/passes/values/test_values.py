"""Each idea of the pass `values` on a small Program: text before, text after, and the same answers."""

from __future__ import annotations

import numpy as np
import pytest
from passes.values.rewritten import agrees, becomes, program, refuses

from dy2st.ir.core import Loc
from dy2st.passes.values import Computed, ErrorRecord, Result, ValuesError, values_program

X = np.array([1.0, -2.0], np.float32)
X3 = np.array([1.0, -2.0, 0.5], np.float32)


def test_a_list_of_known_length_is_its_items():
    becomes(
        """
        def main(%x: float32[2]) -> tuple<int, list<float32[2]>>:
          %a = list.new %x : list<float32[2]>
          %b = list.copy %a : list<float32[2]>
          list.append %a, %x
          %n = list.len %a : int
          %0 = tuple.new %n, %b : tuple<int, list<float32[2]>>
          return %0
        """,
        """
        def main(%x: float32[2]) -> tuple<tuple<int, sequence<float32[2]>>>:
          %n = const value=2 : int
          %0 = sequence.new %x : sequence<float32[2]>
          %1 = tuple.new %n, %0 : tuple<int, sequence<float32[2]>>
          %2 = tuple.new %1 : tuple<tuple<int, sequence<float32[2]>>>
          return %2
        """,
        *[(X,)],
    )


def test_lists_of_other_lengths_meet_as_sequences():
    becomes(
        """
        def main(%x: float32[2], %p: bool) -> list<float32[2]>:
          %xs = list.new : list<float32[2]>
          if %p
            then:
              list.append %xs, %x
              yield
            else:
              yield
          return %xs
        """,
        """
        def main(%x: float32[2], %p: bool) -> tuple<sequence<float32[2]>>:
          %0 = if %p : sequence<float32[2]>
            then:
              %1 = sequence.new %x : sequence<float32[2]>
              yield %1
            else:
              %2 = sequence.new : sequence<float32[2]>
              yield %2
          %3 = tuple.new %0 : tuple<sequence<float32[2]>>
          return %3
        """,
        *[(X, True), (X, False)],
    )


def test_lists_of_one_length_meet_item_by_item():
    becomes(
        """
        def main(%x: float32[2], %p: bool) -> list<float32[2]>:
          %xs = list.new %x, %x : list<float32[2]>
          %0 = const value=0 : int
          if %p
            then:
              %1 = neg %x : float32[2]
              list.set %xs, %0, %1
              yield
            else:
              yield
          return %xs
        """,
        """
        def main(%x: float32[2], %p: bool) -> tuple<sequence<float32[2]>>:
          %0 = if %p : float32[2]
            then:
              %1 = neg %x : float32[2]
              yield %1
            else:
              yield %x
          %2 = sequence.new %0, %x : sequence<float32[2]>
          %3 = tuple.new %2 : tuple<sequence<float32[2]>>
          return %3
        """,
        *[(X, True), (X, False)],
    )


def test_a_list_that_grows_in_a_loop_is_carried_as_a_sequence():
    becomes(
        """
        def main(%x: float32[3], %n: int) -> float32[?,3]:
          %xs = list.new : list<float32[3]>
          %0 = const value=0 : int
          %i = while %0 : int
            cond(%1: int):
              %2 = py.lt %1, %n : bool
              yield %2
            body(%3: int):
              list.append %xs, %x
              %4 = const value=1 : int
              %5 = py.add %3, %4 : int
              yield %5
          %6 = list.stack %xs, axis=0 : float32[?,3]
          return %6
        """,
        """
        def main(%x: float32[3], %n: int) -> tuple<float32[?,3]>:
          %0 = const value=0 : int
          %1 = sequence.new : sequence<float32[3]>
          %i, %xs = while %0, %1 : int, sequence<float32[3]>
            cond(%2: int, %xs_1: sequence<float32[3]>):
              %3 = py.lt %2, %n : bool
              yield %3
            body(%4: int, %xs_2: sequence<float32[3]>):
              %5 = sequence.append %xs_2, %x : sequence<float32[3]>
              %6 = const value=1 : int
              %7 = py.add %4, %6 : int
              yield %7, %5
          %8 = sequence.stack %xs, axis=0 : float32[?,3]
          %9 = tuple.new %8 : tuple<float32[?,3]>
          return %9
        """,
        *[(X3, 3), (X3, 1), (X3, 0)],
    )


def test_a_list_of_one_length_is_carried_item_by_item():
    becomes(
        """
        def main(%x: float32[3], %n: int) -> list<float32[3]>:
          %xs = list.new %x, %x : list<float32[3]>
          %0 = const value=0 : int
          %i = while %0 : int
            cond(%1: int):
              %2 = py.lt %1, %n : bool
              yield %2
            body(%3: int):
              %4 = list.get %xs, %0 : float32[3]
              %5 = neg %4 : float32[3]
              list.set %xs, %0, %5
              %6 = const value=1 : int
              %7 = py.add %3, %6 : int
              yield %7
          return %xs
        """,
        """
        def main(%x: float32[3], %n: int) -> tuple<sequence<float32[3]>>:
          %0 = const value=0 : int
          %i, %xs, %xs_1 = while %0, %x, %x : int, float32[3], float32[3]
            cond(%1: int, %xs_2: float32[3], %xs_3: float32[3]):
              %2 = py.lt %1, %n : bool
              yield %2
            body(%3: int, %xs_4: float32[3], %xs_5: float32[3]):
              %4 = neg %xs_4 : float32[3]
              %5 = const value=1 : int
              %6 = py.add %3, %5 : int
              yield %6, %4, %xs_5
          %7 = sequence.new %xs, %xs_1 : sequence<float32[3]>
          %8 = tuple.new %7 : tuple<sequence<float32[3]>>
          return %8
        """,
        *[(X3, 3), (X3, 0)],
    )


def test_a_carried_list_that_the_body_replaces():
    becomes(
        """
        def main(%x: float32[2], %n: int) -> list<float32[2]>:
          %xs = list.new %x : list<float32[2]>
          %0 = const value=0 : int
          %i, %ys = while %0, %xs : int, list<float32[2]>
            cond(%1: int, %a: list<float32[2]>):
              %2 = py.lt %1, %n : bool
              yield %2
            body(%3: int, %b: list<float32[2]>):
              %c = list.new : list<float32[2]>
              list.extend %c, %b
              list.append %c, %x
              %4 = const value=1 : int
              %5 = py.add %3, %4 : int
              yield %5, %c
          return %ys
        """,
        """
        def main(%x: float32[2], %n: int) -> tuple<sequence<float32[2]>>:
          %0 = const value=0 : int
          %1 = sequence.new %x : sequence<float32[2]>
          %i, %b = while %0, %1 : int, sequence<float32[2]>
            cond(%2: int, %b_1: sequence<float32[2]>):
              %3 = py.lt %2, %n : bool
              yield %3
            body(%4: int, %b_2: sequence<float32[2]>):
              %5 = sequence.new : sequence<float32[2]>
              %6 = sequence.concat %5, %b_2 : sequence<float32[2]>
              %7 = sequence.append %6, %x : sequence<float32[2]>
              %8 = const value=1 : int
              %9 = py.add %4, %8 : int
              yield %9, %7
          %10 = tuple.new %b : tuple<sequence<float32[2]>>
          return %10
        """,
        *[(X, 3), (X, 0)],
    )


def test_a_name_for_one_of_two_lists():
    becomes(
        """
        def main(%p: bool) -> tuple<list<int>, list<int>>:
          %0 = const value=1 : int
          %a = list.new : list<int>
          %b = list.new : list<int>
          %c = if %p : list<int>
            then:
              yield %a
            else:
              yield %b
          list.append %c, %0
          %1 = tuple.new %a, %b : tuple<list<int>, list<int>>
          return %1
        """,
        """
        def main(%p: bool) -> tuple<tuple<sequence<int>, sequence<int>>>:
          %0 = const value=1 : int
          %1, %2 = if %p : sequence<int>, sequence<int>
            then:
              %3 = sequence.new : sequence<int>
              %4 = sequence.new %0 : sequence<int>
              yield %3, %4
            else:
              %5 = sequence.new %0 : sequence<int>
              %6 = sequence.new : sequence<int>
              yield %5, %6
          %7 = tuple.new %2, %1 : tuple<sequence<int>, sequence<int>>
          %8 = tuple.new %7 : tuple<tuple<sequence<int>, sequence<int>>>
          return %8
        """,
        *[(True,), (False,)],
    )


def test_a_change_of_an_element_goes_to_the_list_that_it_lies_in():
    becomes(
        """
        def main(%n: int) -> list<list<int>>:
          %0 = const value=0 : int
          %1 = const value=1 : int
          %rows = list.new : list<list<int>>
          %i = while %0 : int
            cond(%a: int):
              %2 = py.lt %a, %n : bool
              yield %2
            body(%b: int):
              %row = list.new %b : list<int>
              list.append %rows, %row
              %3 = py.add %b, %1 : int
              yield %3
          %first = list.get %rows, %0 : list<int>
          list.append %first, %n
          return %rows
        """,
        """
        def main(%n: int) -> tuple<sequence<sequence<int>>>:
          %0 = const value=0 : int
          %1 = const value=1 : int
          %2 = sequence.new : sequence<sequence<int>>
          %b, %rows = while %0, %2 : int, sequence<sequence<int>>
            cond(%b_1: int, %rows_1: sequence<sequence<int>>):
              %3 = py.lt %b_1, %n : bool
              yield %3
            body(%b_2: int, %rows_2: sequence<sequence<int>>):
              %4 = sequence.new %b_2 : sequence<int>
              %5 = sequence.append %rows_2, %4 : sequence<sequence<int>>
              %6 = py.add %b_2, %1 : int
              yield %6, %5
          %7 = sequence.get %rows, %0, of="list" : sequence<int>
          %8 = sequence.append %7, %n : sequence<int>
          %9 = sequence.get %rows, %0, of="list" : sequence<int>
          %10 = sequence.set %rows, %0, %8 : sequence<sequence<int>>
          %11 = tuple.new %10 : tuple<sequence<sequence<int>>>
          return %11
        """,
        *[(3,), (1,), (0,)],
    )


def test_none_or_a_list():
    becomes(
        """
        def main(%x: float32[2], %p: bool) -> int:
          %xs = if %p : sum<none | list<float32[2]>>
            then:
              %0 = list.new %x : list<float32[2]>
              %1 = sum.make %0, index=1 : sum<none | list<float32[2]>>
              yield %1
            else:
              %2 = const value=None : none
              %3 = sum.make %2, index=0 : sum<none | list<float32[2]>>
              yield %3
          %4 = sum.tag %xs : int
          return %4
        """,
        """
        def main(%x: float32[2], %p: bool) -> tuple<int>:
          %0 = if %p : int
            then:
              %1 = const value=1 : int
              yield %1
            else:
              %2 = const value=0 : int
              yield %2
          %3 = tuple.new %0 : tuple<int>
          return %3
        """,
        *[(X, True), (X, False)],
    )


def test_a_key_that_is_computed_is_looked_for():
    becomes(
        """
        def main(%x: float32[2], %k: str) -> float32[2]:
          %0 = const value="a" : str
          %1 = const value="b" : str
          %2 = neg %x : float32[2]
          %d = dict.new %0, %x, %1, %2 : dict<str, float32[2]>
          dict.set %d, %0, %2
          %3 = dict.get %d, %k : float32[2]
          return %3
        """,
        """
        def main(%x: float32[2], %k: str) -> tuple<float32[2], int, str>:
          %0 = undef : str
          %1 = neg %x : float32[2]
          %2 = const value="a" : str
          %3 = py.eq %k, %2 : bool
          %4, %5 = if %3 : int, str
            then:
              %6 = const value=0 : int
              yield %6, %0
            else:
              %7 = const value="b" : str
              %8 = py.eq %k, %7 : bool
              %9, %10 = if %8 : int, str
                then:
                  %11 = const value=0 : int
                  yield %11, %0
                else:
                  %12 = const value=1 : int
                  yield %12, %k
              yield %9, %10
          %13 = const value=0 : int
          %14 = py.eq %4, %13 : bool
          %15 = if %14 : int
            then:
              %16 = const value=0 : int
              yield %16
            else:
              yield %4
          %17 = tuple.new %1, %15, %5 : tuple<float32[2], int, str>
          return %17
        """,
        *[(X, "a"), (X, "b"), (X, "c")],
    )


def test_fields_of_objects():
    becomes(
        """
        def main(%x: float32[2], %p: bool) -> float32[2]:
          %0 = const value=1 : int
          %box = object.new %x, %0, cls="Box", fields=["v", "n"] : class Box
          if %p
            then:
              %1 = neg %x : float32[2]
              object.set %box, %1, field="v"
              yield
            else:
              yield
          %2 = object.get %box, field="v" : float32[2]
          return %2
        """,
        """
        def main(%x: float32[2], %p: bool) -> tuple<float32[2]>:
          %0 = if %p : float32[2]
            then:
              %1 = neg %x : float32[2]
              yield %1
            else:
              yield %x
          %2 = tuple.new %0 : tuple<float32[2]>
          return %2
        """,
        *[(X, True), (X, False)],
    )


def test_raise_is_a_number_and_the_values_of_its_message():
    interface = becomes(
        """
        def main(%x: float32[2], %n: int) -> float32[2]:
          %0 = const value=0 : int
          %1 = py.lt %n, %0 : bool
          if %1
            then:
              %2 = const value="negative" : str
              raise %2, %n, exception="ValueError", bases=["ValueError"]
            else:
              yield
          %3 = neg %x : float32[2]
          return %3
        """,
        """
        def main(%x: float32[2], %n: int) -> tuple<float32[2], int, int>:
          %0 = undef : int
          %1 = const value=0 : int
          %2 = py.lt %n, %1 : bool
          %3, %4, %n_1 = if %2 : float32[2], int, int
            then:
              %5 = const value=1 : int
              %6 = undef : float32[2]
              yield %6, %5, %n
            else:
              %7 = neg %x : float32[2]
              %8 = const value=0 : int
              yield %7, %8, %0
          %9 = tuple.new %3, %4, %n_1 : tuple<float32[2], int, int>
          return %9
        """,
        *[(X, 2), (X, -3)],
    )
    assert interface.errors == [ErrorRecord("ValueError", ("ValueError",), ["negative", Computed(0)], (), None, "")]
    assert [output.kind for output in interface.outputs] == ["result", "error", "value"]


def test_a_loop_ends_where_a_turn_raises():
    interface = becomes(
        """
        def main(%n: int) -> int:
          %0 = const value=0 : int
          %1 = const value=1 : int
          %i = while %0 : int
            cond(%a: int):
              %2 = py.lt %a, %n : bool
              yield %2
            body(%b: int):
              %3 = const value=3 : int
              %4 = py.eq %b, %3 : bool
              if %4
                then:
                  raise exception="KeyError", bases=["KeyError", "LookupError"]
                else:
                  yield
              %5 = py.add %b, %1 : int
              yield %5
          %6 = py.add %i, %1 : int
          return %6
        """,
        """
        def main(%n: int) -> tuple<int, int>:
          %0 = const value=0 : int
          %1 = const value=1 : int
          %2 = const value=0 : int
          %b, %error = while %0, %2 : int, int
            cond(%b_1: int, %error_1: int):
              %3 = const value=0 : int
              %4 = py.eq %error_1, %3 : bool
              %5 = if %4 : bool
                then:
                  %6 = py.lt %b_1, %n : bool
                  yield %6
                else:
                  %7 = const value=False : bool
                  yield %7
              yield %5
            body(%b_2: int, %error_2: int):
              %8 = const value=3 : int
              %9 = py.eq %b_2, %8 : bool
              %10, %11 = if %9 : int, int
                then:
                  %12 = const value=1 : int
                  %13 = undef : int
                  yield %13, %12
                else:
                  %14 = py.add %b_2, %1 : int
                  %15 = const value=0 : int
                  yield %14, %15
              yield %10, %11
          %16 = const value=0 : int
          %17 = py.eq %error, %16 : bool
          %18, %19 = if %17 : int, int
            then:
              %20 = py.add %b, %1 : int
              %21 = const value=0 : int
              yield %20, %21
            else:
              %22 = undef : int
              yield %22, %error
          %23 = tuple.new %18, %19 : tuple<int, int>
          return %23
        """,
        *[(2,), (9,)],
    )
    assert [record.exception for record in interface.errors] == ["KeyError"]


def test_state_is_an_argument_and_a_result():
    interface = becomes(
        """
        state calls: int = 0

        def main(%x: float32[2]) -> float32[2]:
          %calls = state.get name="calls" : int
          %0 = const value=1 : int
          %1 = py.add %calls, %0 : int
          state.set %1, name="calls"
          %2 = multiply %x, %1 : float32[2]
          return %2
        """,
        """
        def main(%x: float32[2], %calls: int) -> tuple<float32[2], int>:
          %0 = const value=1 : int
          %1 = py.add %calls, %0 : int
          %2 = multiply %x, %1 : float32[2]
          %3 = tuple.new %2, %1 : tuple<float32[2], int>
          return %3
        """,
        *[(X,)],
    )
    assert interface.state == [("calls", interface.inputs[1].type)]
    assert interface.outputs[1] == Result("state", "calls", 0, interface.inputs[1].type, interface.inputs[1].type)


def test_inputs_that_are_written_are_results():
    interface = becomes(
        """
        def main(%x: float32[2], %xs: list<float32[2]>) -> int:
          %0 = neg %x : float32[2]
          copy_ %x, %0
          list.append %xs, %0
          %1 = list.len %xs : int
          return %1
        """,
        """
        def main(%x: float32[2], %xs: sequence<float32[2]>) -> tuple<int, float32[2], sequence<float32[2]>>:
          %0 = neg %x : float32[2]
          %1 = assign_value %x, %0 : float32[2]
          %2 = sequence.append %xs, %0 : sequence<float32[2]>
          %3 = sequence.len %2 : int
          %4 = tuple.new %3, %1, %2 : tuple<int, float32[2], sequence<float32[2]>>
          return %4
        """,
        *[(X, [-X])],
    )
    assert [(output.kind, output.number) for output in interface.outputs] == [("result", 0), ("written", 0), ("written", 1)]


ROWS = """
def main(%n: int) -> tuple<list<list<int>>, list<int>>:
  %0 = const value=0 : int
  %1 = const value=1 : int
  %rows = list.new : list<list<int>>
  %shared = list.new : list<int>
  %i = while %0 : int
    cond(%a: int):
      %2 = py.lt %a, %n : bool
      yield %2
    body(%b: int):
      %row = list.new : list<int>
      list.append %rows, {stored}
      list.append {changed}, %b
      %3 = py.add %b, %1 : int
      yield %3
  %4 = tuple.new %rows, %shared : tuple<list<list<int>>, list<int>>
  return %4
"""


def test_a_list_in_a_list_is_changed_by_no_other_name():
    agrees(ROWS.format(stored="%shared", changed="%row"), (3,), (0,))
    agrees(ROWS.format(stored="%row", changed="%shared"), (3,), (0,))
    refuses(ROWS.format(stored="%shared", changed="%shared"), "shared is changed here, after its items were copied")
    refuses(ROWS.format(stored="%row", changed="%row"), "row is changed here, after its items were copied")


def test_two_items_that_are_one_list_are_not_changed_through_one():
    text = """
def main(%i: int) -> list<list<int>>:
  %0 = const value=0 : int
  %row = list.new : list<int>
  %rows = list.new %row, %row : list<list<int>>
  %got = list.get %rows, {index} : list<int>
  list.append %got, %0
  return %rows
"""
    agrees(text.format(index="%0"), (1,))
    refuses(text.format(index="%i"), "may be known by another name")


def test_what_lay_in_a_list_that_has_moved_is_not_changed():
    text = """
def main(%rows: list<list<int>>) -> list<list<int>>:
  %0 = const value=0 : int
  %last = list.new : list<int>
  %row = list.get %rows, %0 : list<int>
  list.{moves}
  list.append %row, %0
  return %rows
"""
    agrees(text.format(moves="append %rows, %last"), ([[1], [2]],))
    refuses(text.format(moves="reverse %rows"), "after the items of that list were moved")


REFUSED = {
    "dict.new": ("%1 = dict.new %n, %n : dict<int, int>\n  %2 = dict.len %1 : int\n  return %2", "the key isn't known"),
    "call": ("%1 = call %n, function=\"main\" : int\n  return %1", "recursion"),
}


def test_a_condition_that_may_raise_is_asked_before_the_loop_and_after_each_turn():
    agrees(
        """
        def main(%n: int) -> int:
          %0 = const value=0 : int
          %1 = const value=1 : int
          %i = while %n : int
            cond(%a: int):
              %2 = py.lt %a, %0 : bool
              if %2
                then:
                  raise %a, exception="ValueError", bases=["ValueError"]
                else:
                  yield
              %3 = const value=4 : int
              %4 = py.ne %a, %3 : bool
              yield %4
            body(%b: int):
              %5 = py.sub %b, %1 : int
              yield %5
          return %i
        """,
        (7,),
        (4,),
        (2,),
        (-1,),
    )


def test_state_that_is_one_list_under_two_names_is_refused():
    text = """
    state a: list<int> = []
    state b: list<int> = []

    def main() -> int:
      %0 = const value=0 : int
      %a = state.get name="a" : list<int>
      %b = state.get name="b" : list<int>
      {}
      return %0
    """
    agrees(text.format("list.append %a, %0"), ())
    refuses(text.format('state.set %a, name="b"'), "a and b hold one list or object")
    shared = program(text.format("list.append %a, %0"))
    shared.state["a"].value = shared.state["b"].value = [1]
    with pytest.raises(ValuesError, match="a and b hold one list or object"):
        values_program(shared)


def test_what_has_no_counterpart_is_refused_in_words():
    for operation, (body, message) in REFUSED.items():
        text = f"def main(%n: int) -> int:\n  {body}\n"
        assert operation in text
        refuses(text, message)


def test_a_try_is_refused_at_the_line_of_the_user():
    refuses(
        """
        def main(%n: int) -> int:
          %1 = try handlers=[["ValueError"]] : int  # model.py:7 forward
            body:
              yield %n
            except:
              %0 = const value=1 : int
              yield %0
          return %1
        """,
        "^model.py:7: values: `try`: test beforehand",
    )
    assert Loc("model.py", 7).line == 7


def test_nested_loops_are_walked_a_bounded_number_of_times(monkeypatch):
    """Eight loops around one list: each learns once that the list changes, and the walk comes again once for each of them."""
    from dy2st.passes.values import loops

    trials = []
    walk_it = loops._Loop.walk_it
    monkeypatch.setattr(loops._Loop, "walk_it", lambda loop: trials.append(loop) or walk_it(loop))
    text = "def main(%n: int) -> int:\n  %0 = const value=0 : int\n  %1 = const value=1 : int\n  %xs = list.new : list<int>\n"
    indent = "  "
    for k in range(8):
        text += f"{indent}%i{k} = while %0 : int\n{indent}  cond(%a{k}: int):\n{indent}    %c{k} = py.lt %a{k}, %n : bool\n"
        text += f"{indent}    yield %c{k}\n{indent}  body(%b{k}: int):\n"
        indent += "    "
    text += f"{indent}list.append %xs, %b7\n"
    for k in reversed(range(8)):
        text += f"{indent}%d{k} = py.add %b{k}, %1 : int\n{indent}yield %d{k}\n"
        indent = indent[4:]
    agrees(text + "  %len = list.len %xs : int\n  return %len\n", (2,), (0,))
    assert len(trials) <= 8 * (8 + 1) + 8
