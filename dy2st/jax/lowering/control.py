"""Branches and loops: `lax.cond`, `lax.scan` and `lax.while_loop` of what lowerings compute.

Python traces a branch or a turn once, into a jaxpr. What comes out then tells which shape both branches, or all turns, have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, jaxpr_as_fun

from ...graphs.lowering import selecting
from ...graphs.lowering.faults import FINE
from ...graphs.lowering.refusal import GraphError, InexpressibleError
from ...graphs.lowering.scope import Scope
from . import rows as ragged
from . import texts, varying
from .codes import coded
from .reversible import While
from .value import JaxValue

if TYPE_CHECKING:
    from .writer import JaxWriter

_ROUNDS = 6
_MOST_TURNS = 128  # of a loop whose turns are computed one after the other


class Traced:
    """A branch or a turn as a jaxpr.

    values: what it gives; the arrays of those that aren't known are results of the jaxpr. code: whether checks are in it.
    """

    def __init__(
        self, g: JaxWriter, scope: Scope, compute: Callable[..., Sequence[JaxValue]], *arguments: Any, counts: Any = None
    ):
        self.values: list[JaxValue] = []
        self.has_code = False

        def run(*given: Any) -> list[Any]:
            with g.inner(scope), g.only_where(g.const(True) if counts is None else counts):
                scope.codes.clear()
                self.values = [*compute(*given)]
                self.has_code = bool(scope.codes)
                code = g.code()
            found = [part for x in self.values if x.array is None for part in _parts(x)]
            return [*found, *([code] if self.has_code else [])]

        self.jaxpr = jax.make_jaxpr(run)(*arguments)

    @property
    def outer(self) -> list[Any]:
        """What it reads of the computation around it."""
        return [x for x in self.jaxpr.consts if isinstance(x, jax.core.Tracer)]

    def __call__(self, *arguments: Any, outer: Sequence[Any] | None = None) -> tuple[list[tuple[JaxValue, Any, Any]], Any]:
        """Each value, with its array and the number of its rows, or None; and the code where there are checks.

        outer: what stands in place of that which it reads of the computation around it.
        """
        flat, jaxpr = jax.tree_util.tree_leaves(arguments), self.jaxpr
        if outer is not None:
            rest = iter(outer)
            jaxpr = ClosedJaxpr(jaxpr.jaxpr, [next(rest) if isinstance(x, jax.core.Tracer) else x for x in jaxpr.consts])
        found = iter(jaxpr_as_fun(jaxpr)(*flat))
        parts = [
            (x, x.data, None) if x.array is not None else (x, next(found), None if x.count is None else next(found))
            for x in self.values
        ]
        return parts, next(found) if self.has_code else None

    def reads(self, place: int) -> bool:
        """Whether the argument at a place, an array, is read."""
        jaxpr = self.jaxpr.jaxpr
        return any(x is jaxpr.invars[place] for xs in (jaxpr.outvars, *(e.invars for e in jaxpr.eqns)) for x in xs)


def _parts(x: JaxValue) -> list[Any]:
    return [x.data] if x.count is None else [x.data, x.count]


def branch(g: JaxWriter, condition: Any, arms: Sequence[Callable]) -> list[Any]:
    """What one of two arms gives."""
    traced = [Traced(g, Scope(), arm, counts=g.counts(x)) for arm, x in zip(arms, (condition, g.Not(condition)))]
    kinds = [_Kind.of_both(g, a, b) for a, b in zip(*(t.values for t in traced))]
    has_code = any(t.has_code for t in traced)
    axes = varying.axes_of(condition.data, *traced[0].jaxpr.out_avals, *traced[1].jaxpr.out_avals)

    def taken(t: Traced) -> Callable[[], Any]:
        def run() -> Any:
            parts, code = t()
            code = jnp.asarray(FINE, "int64") if has_code and code is None else code
            return varying.along(axes, ([kind.fitted(*part) for kind, part in zip(kinds, parts) if not kind.is_known], code))

        return run

    found, code = lax.cond(jnp.asarray(condition.data), *map(taken, traced))
    if has_code:
        g.scope.codes.append(g.made(code))
    given = iter(found)
    return [kind.known if kind.is_known else kind.value(g, next(given)) for kind in kinds]


def selected(g: JaxWriter, condition: Any, arms: Sequence[Callable]) -> list[Any]:
    """What one of two arms gives, where both are computed. A check fails only in the one that is taken."""
    values = []
    for arm, is_taken in zip(arms, (lambda: condition, lambda: g.Not(condition))):
        with g.inner(Scope()) as scope:
            values.append([*arm()])
        if scope.codes:
            fine = g.made(jnp.asarray(FINE, "int64"))
            g.scope.codes += [g.Where(is_taken(), code, fine) for code in scope.codes]
    return [_either(g, condition, yes, no) for yes, no in zip(*values)]


def _either(g: JaxWriter, condition: Any, yes: JaxValue, no: JaxValue) -> JaxValue:
    if yes.dtype == "bool" and yes.shape == no.shape == ():
        return selecting.selected(g, condition, yes, no)  # type: ignore[return-value]
    kind = _Kind.of_both(g, yes, no)
    if kind.is_known or yes.data is no.data:
        return kind.known if kind.is_known else yes
    holds = jnp.asarray(condition.data)
    pair = [kind.fitted(x, x.data, x.count) for x in (yes, no)]
    return kind.value(g, jax.tree_util.tree_map(lambda a, b: lax.select(holds, a, b), *pair))


class _Kind:
    """What both branches, or all turns, have in common of one value. room: of rows whose number only the run knows, or None."""

    def __init__(self, shape: tuple, dtype: Any, room: int | None = None, known: Any = None, is_text: bool = False):
        self.shape, self.dtype, self.room, self.known, self.is_text = shape, dtype, room, known, is_text
        self.axis = 0
        self.recipe: texts.Recipe | texts.Either | None = None

    @property
    def layout(self) -> tuple:
        """What arrays of this kind have in common."""
        return (self.shape if self.room is None else self.shape[1:]), self.room, self.axis, self.recipe

    @property
    def is_known(self) -> bool:
        """Whether it is a constant."""
        return self.known is not None

    @classmethod
    def of(cls, x: JaxValue) -> _Kind:
        """That of one value."""
        known = x if x.array is not None else None
        made = cls(x.data.shape, x.data.dtype, None if x.count is None else x.data.shape[0], known, x.is_text)
        made.recipe, made.axis = x.recipe, x.axis
        return made

    @classmethod
    def of_both(cls, g: JaxWriter, a: JaxValue, b: JaxValue) -> _Kind:
        """InexpressibleError: there is nothing that both are."""
        if a.is_blank or b.is_blank:
            return cls.of(b if a.is_blank else a)
        if a.array is not None and b.array is not None and a.dtype == b.dtype and np.array_equal(a.array, b.array):
            return cls(a.data.shape, a.data.dtype, None, a)
        is_text = a.is_text
        if a.recipe is not None or b.recipe is not None:
            return cls.of_recipes(a, b)
        if a.count is None and b.count is None and a.data.shape == b.data.shape:
            return cls(a.data.shape, a.data.dtype, is_text=is_text)
        open_axes = {x.axis for x in (a, b) if x.count is not None}
        axis = open_axes.pop() if len(open_axes) == 1 else _differing(a, b)
        shapes = [_in_front(x, axis) for x in (a, b)]
        bare = [x.count is None and x.data.shape == (0,) for x in (a, b)]
        row = shapes[0][1:] if not bare[0] else shapes[1][1:]
        if open_axes or any(not s for s in shapes) or any(not is_bare and s[1:] != row for s, is_bare in zip(shapes, bare)):
            raise InexpressibleError(
                f"one path gives {_told(a)}, another {_told(b)}, and JAX's arrays have one shape; pad to a known length, and mask"
            )
        room = max(g.capacity, *(s[0] for s in shapes))
        made = cls((0, *row), (b if bare[0] else a).data.dtype, room, is_text=is_text)
        made.axis = axis
        return made

    @classmethod
    def of_recipes(cls, a: JaxValue, b: JaxValue) -> _Kind:
        """That of two texts that the run makes."""
        spelling = texts.united(*(x.spelling or texts.Codes() for x in (a, b)))
        assert not isinstance(spelling, texts.Codes)
        made = cls((spelling.size,), "int64", is_text=True)
        made.recipe = spelling
        return made

    def fitted(self, x: JaxValue, data: Any, count: Any) -> Any:
        """The array of a value in this kind, or rows and their number."""
        data = coded(data)
        if x.is_blank:
            data, count = jnp.zeros(self.shape, data.dtype), None
        if self.recipe is not None and not x.is_blank:
            data = texts.as_spelled(data, x.spelling or texts.Codes(), self.recipe)
        if self.room is None:
            return jnp.asarray(data)
        if count is None and data.shape == (0,) and len(self.shape) > 1:
            data = jnp.zeros((0, *self.shape[1:]), "int64" if self.is_text else self.dtype)
        elif count is None and not x.is_blank:
            data = jnp.moveaxis(jnp.asarray(data), self.axis, 0)
        return ragged.whole(JaxValue("", data, count=count), self.room)

    def value(self, g: JaxWriter, found: Any) -> JaxValue:
        """The value of what `fitted` gives."""
        data, count = (found, None) if self.room is None else found
        made = g.made(data, count=count, is_text=self.is_text, axis=self.axis if self.room is not None else 0)
        made.recipe = self.recipe
        return made


def _differing(a: JaxValue, b: JaxValue) -> int:
    """The first axis along which two arrays have other lengths."""
    return next((k for k, (n, m) in enumerate(zip(a.data.shape, b.data.shape)) if n != m), 0)


def _in_front(x: JaxValue, axis: int) -> tuple:
    """The lengths of an array, that of an axis first."""
    if x.count is not None or x.data.ndim <= axis:
        return tuple(x.data.shape)
    return (x.data.shape[axis], *x.data.shape[:axis], *x.data.shape[axis + 1 :])


def _told(x: JaxValue) -> str:
    return f"{x.dtype}[{', '.join('?' if n is None else str(n) for n in x.shape or ())}]"


class Loop:
    """A loop of the Program: its turns are traced until what they carry is of one kind.

    The arguments are those of `JaxWriter.loop`. ask: the condition, where that is a function of what is carried.
    """

    def __init__(self, g: JaxWriter, trips: Any, condition: Any, carried: Sequence[Any], turn: Callable, count: int | None):
        self.g, self.condition, self.turn, self.start = g, condition, turn, [*carried]
        self.ask = condition if callable(condition) else None
        self.bound, self.trips = trips, None if trips is None else trips.item
        self.kinds: list[_Kind] = []
        self.count, self.n_rows, self.always = count, 0, False
        self.began_fine = None if g.say is None else jnp.asarray(g.counts().data)
        self.axes = varying.axes_of(*(x.data for x in (trips, condition, *carried) if isinstance(x, JaxValue)))

    def found(self) -> list[Any]:
        """The last values carried, and behind them the rows that turns have given."""
        try:
            return self._rolled()
        except (InexpressibleError, GraphError) as error:  # one turn may have a form, where its number is known
            self._ask_after()
            found = self._unrolled()
            if found is None:
                raise error
            return found

    def _ask_after(self) -> None:
        """Ask for the first turn before the loop, and for the next one at the end of each."""
        if self.ask is None:
            return
        ask, turn = self.ask, self.turn

        def asking(number: Any, *values: Any) -> tuple:
            _, after, rows = turn(number, *values)
            return ask(*after), after, rows

        self.condition, self.turn, self.ask = ask(*self.start), asking, None

    def _asked_before(self) -> Traced | None:
        """The condition, where it may be asked before each turn: it is to be told by the run, fail nowhere and have no effects.

        Otherwise it is asked after.
        """
        if self.ask is not None and self.g.is_silent:
            ask, given = self.ask, self._given()
            found = Traced(self.g, Scope(), lambda *carried: [ask(*self._values(carried))], *given)
            if not self.axes >= varying.axes_of(*found.jaxpr.out_avals):
                self.axes |= varying.axes_of(*found.jaxpr.out_avals)
                return self._asked_before()
            if not found.has_code and found.values[0].array is None:
                return found
        self._ask_after()
        return None

    def _layouts(self) -> tuple:
        return self.axes, [kind.layout for kind in self.kinds]

    def _given(self) -> list[Any]:
        """What the first turn is given."""
        return varying.along(self.axes, [kind.fitted(x, x.data, x.count) for kind, x in zip(self.kinds, self.start)])

    def _values(self, carried: Sequence[Any]) -> list[JaxValue]:
        return [kind.value(self.g, x) for kind, x in zip(self.kinds, carried)]

    def _unrolled(self) -> list[Any] | None:
        """One turn after the other, which may have different shapes; None where only the run tells how many there are."""
        values, going = [*self.start], True if self.condition is None else self.condition.item
        rows: list[list[Any]] = []
        while going and (self.trips is None or len(rows) < self.trips):
            again, values, given = self.turn(self.g.const(len(rows)), *values)
            rows.append(given)
            going = again.item
            if len(rows) > _MOST_TURNS:
                return None
        if going is None or self.bound is not None and self.trips is None:
            return None
        columns = [self.g.listed(column) for column in zip(*rows)]
        return [*values, *columns] if rows or not self.n_rows else None

    def _rolled(self) -> list[Any]:
        self.kinds = [_Kind.of(_unknown(x)) for x in self.start]
        asked, before = self._asked_before(), self._layouts()
        traced = self._traced()
        if asked is not None and self._layouts() != before and (asked := self._asked_before()) is None:
            traced = self._traced()
        carried = self._given()
        if asked is not None:
            return self._asked(traced, carried, asked)
        begins = self.condition is None or self.condition.item is True
        is_counted = self.trips is not None and (self.count is not None or begins and self.always)
        return (self._counted if is_counted else self._asked)(traced, carried)

    def _traced(self) -> Traced:
        for _ in range(_ROUNDS):
            given = self._given()
            first = varying.along(self.axes, (jnp.asarray(0, "int64"), self.began_fine))
            traced = Traced(self.g, Scope(is_turn=True), self._turn, *first, *given)
            values = self._values(given)
            ends = traced.values[1 : 1 + len(given)]
            for x, value in zip(self.start, values):
                value.is_blank = x.is_blank
            wider = [_Kind.of_both(self.g, _unknown(a), _unknown(b)) for a, b in zip(values, ends)]
            before = self._layouts()
            self.kinds, self.axes = wider, self.axes | varying.axes_of(*traced.jaxpr.out_avals)
            if self._layouts() == before:
                return traced
        if any(kind.recipe is not None for kind in self.kinds):
            raise InexpressibleError(
                "a text that each iteration makes longer has no form, as JAX computes no texts: append its parts to a list, and "
                "join them behind the loop"
            )
        raise InexpressibleError("what this loop carries has another shape in each turn; give it a known length, and mask")

    def _turn(self, number: Any, is_fine: Any, *carried: Any) -> list[Any]:
        g = self.g
        with g.in_turn(number, is_fine):
            again, after, rows = self.turn(g.turn_of(number, self.trips), *self._values(carried))
        self.n_rows, self.always = len(rows), again.item is True  # but for a check that fails
        if any(x.count is not None for x in rows):
            raise InexpressibleError("items of a list have lengths of their own, and JAX's arrays have one; pad them, and mask")
        if any(x.recipe is not None for x in rows):
            raise InexpressibleError("a list of texts that the run makes has no form; keep what they are made of")
        return [g.goes_on(again), *after, *rows]

    def _parts(
        self, traced: Traced, number: Any, code: Any, carried: Any, is_fine: Any, outer: Sequence[Any] | None = None
    ) -> tuple[Any, list, list, Any]:
        """Whether there is another turn, what it carries, the rows, and the code, which is None where there are no checks.

        is_fine: whether this turn may print; None where none does.
        """
        if is_fine is not None and code is not None:
            is_fine = (code == FINE) & is_fine
        parts, now = traced(number, is_fine, *carried, outer=outer)
        after = [kind.fitted(*part) for kind, part in zip(self.kinds, parts[1:])]
        rows = [jnp.asarray(coded(data)) for _, data, _ in parts[1 + len(self.kinds) :]]
        return jnp.asarray(parts[0][1]), after, rows, None if code is None else lax.select(code == FINE, now, code)

    def _ended(self, traced: Traced, carried: list[Any], code: Any, rows: Sequence[Any], count: Any = None) -> list[Any]:
        if traced.has_code:
            self.g.scope.codes.append(self.g.made(code))
        are_texts = [x.is_text for x in traced.values[1 + len(carried) :]]
        columns = [self.g.made(x, count=count, is_text=is_text) for x, is_text in zip(rows, are_texts)]
        return [*(kind.value(self.g, x) for kind, x in zip(self.kinds, carried)), *columns]

    def _counted(self, traced: Traced, carried: list[Any]) -> list[Any]:
        def step(state: Any, _: None) -> Any:
            number, before, code = state
            _, after, rows, code = self._parts(traced, number, code, before, self.began_fine)
            return varying.along(self.axes, (number + 1, after, code)), rows

        start = varying.along(self.axes, (jnp.asarray(0, "int64"), carried, _first_code(traced)))
        (_, after, code), rows = lax.scan(step, start, None, self.trips)
        return self._ended(traced, after, code, rows)

    def _asked(self, traced: Traced, carried: list[Any], asked: Traced | None = None) -> list[Any]:
        """asked: the condition, where it is asked before each turn."""
        g, room = self.g, self.trips if self.trips is not None else self.g.capacity
        rows = [coded(x.data) for x in traced.values[1 + len(carried) :]]
        first = g.const(True) if asked is not None else self.condition
        begins: Any = None if first is None else g.goes_on(first)
        going = None if asked is not None and begins.item else jnp.asarray(True if begins is None else begins.data)

        def goes_on(outer: Any, number: Any, state: Any) -> Any:
            (bound, _, _, of_condition), (going, before, code) = outer, state
            tests = [
                None if bound is None else number < bound,
                going,
                None if code is None else code == FINE,
                None if asked is None else asked(*before, outer=of_condition)[0][0][1],
            ]
            return reduce(jnp.logical_and, [test for test in tests if test is not None])

        def step(outer: Any, number: Any, state: Any, is_again: bool) -> Any:
            (_, fine, of_turn, _), (going, before, code) = outer, state
            is_on = None if fine is None else fine & (not is_again) & goes_on(outer, number, state)
            again, after, rows, code = self._parts(traced, 0 if number is None else number, code, before, is_on, of_turn)
            return (going if asked is not None else again, after, code), rows

        bound = None if self.bound is None else jnp.asarray(self.bound.data)
        outer = (bound, self.began_fine, traced.outer, [] if asked is None else asked.outer)
        start, n_kept = (going, carried, _first_code(traced)), max(min(room, g.capacity), 1)
        loop = While(goes_on, step, outer, start, rows, room, n_kept, self.axes)
        number, (_, after, code), rows = loop.run(bound is not None or traced.reads(0), has_slope=not g.is_narrow)
        if rows and self.trips is None:
            ragged.check_room(g, number, room)
        return self._ended(traced, after, code, rows, jnp.minimum(number, room) if rows else None)


def _first_code(traced: Traced) -> Any:
    return jnp.asarray(FINE, "int64") if traced.has_code else None


def _unknown(x: JaxValue) -> JaxValue:
    if x.array is None:
        return x
    made = JaxValue(x.name, jnp.asarray(coded(x.data)), x.is_number, is_text=x.is_text)
    made.is_blank, made.recipe = x.is_blank, x.recipe
    return made
