"""Items that come one after another out of code that staged control flow may be part of: a generator, a comprehension.

Nothing can be suspended in the middle of a Program. So the code that makes the items is run as a whole. Each item is
pushed into the loop that consumes it, right where it arises. The two stay interleaved as in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, NoReturn

from ....errors import ConversionError
from ...control.trial import as_values, note_cells
from ...heap.heap import Poison
from ...heap.journal import Attribute
from ...heap.markers import Restage
from ...proxies import Staged
from ...recorder.fates import MOVED, PYTHON, UNROLLED
from ...recorder.recorder import Recorder
from ...where.user_code import user_instruction
from ...where.variables import carried_by
from ..operations.attributes import store_attribute
from ..operations.ifelse import convert_ifelse
from ..operations.item_sources import Iteration
from ..operations.logical import convert_logical_not
from .told_loops import tell_loop, turns_text


class Generation(Iteration):
    """Items that are pushed: a `for` loop, or a built-in that takes an iterable, is called for each of them.

    `run(consume)` makes the items; `consume(item)` says whether it wants no more. `progress` tells how far it is. It is a
    location of the journal, since a branch or a loop may consume a Generation that was made outside.
    """

    is_staged = True  # type: ignore[assignment]
    is_traced = True

    def __init__(self, rec: Recorder, site: tuple | None = None):
        self.rec = rec
        self.site = site or user_instruction()  # where it was made
        self.item: Any = None
        self.progress: Any = "fresh"
        rec.new(self)

    def run(self, consume: Callable[[Any], Any]) -> Any:
        """Make the items; whether the consumer stopped it."""
        raise NotImplementedError

    def describe(self) -> str:
        raise NotImplementedError

    def _more(self) -> bool:
        return True

    def leave(self) -> None:
        """Its progress tells."""

    def next(self) -> Any:
        return self.item

    def _length(self) -> Any:
        raise TypeError(f"object of type '{self.describe()}' has no len()")

    def __iter__(self) -> Iterator:
        """For code that isn't converted: all items are made when it asks for the first one; what raises then, raises last."""
        self.rec.convert_unpackings()
        made: list = self.rec.heap.born_here([])
        raised = None
        try:
            push_all(self, lambda item: self.rec.convert_call(made.append)(item))
        except StopIteration:
            pass  # as a function that `map` calls ends it
        except Exception as error:
            raised = error
        items = self.rec.heap.resolve(made)
        if not isinstance(items, list) or any(isinstance(item, Poison) for item in items):
            self.refuse_handing_on()
        yield from items
        if raised is not None:
            raise raised

    def refuse_handing_on(self) -> NoReturn:
        """Code that isn't converted asks for items that only the Program knows."""
        raise ConversionError(
            f"{self.rec.here()}: this {self.describe()} is handed to code that isn't converted; hand it a list, list(...)"
        )

    def one_by_one(self) -> Any:
        """This, asked for its items one at a time: it is made anew in another form, where the function is staged again."""
        if self.site in self.rec.facts.pulled:
            raise ConversionError(
                f"{self.rec.here()}: this {self.describe()} is left before its end and goes on later, which a Program can't do "
                "with it; make a list of it first, list(...), or make a new one"
            )
        self.rec.facts.pulled.add(self.site)
        raise Restage.of_function()

    def drive(self, consume: Callable[[Any], Any]) -> None:
        """Push all items into `consume`, once. Who asks while that goes on, or after an exception, asks for the rest."""
        if isinstance(self.progress, Staged) or self.progress in ("left", "running"):
            self.one_by_one()
        if self.progress == "fresh":
            self._note("running")
            self._note("used" if self.run(consume) is False else "left")

    def _note(self, progress: str) -> None:
        store_attribute(self.rec, self, "progress", progress)

    def loop(self, condition: Callable, body: Callable, values: list) -> list:
        """The loop `for item in self: body`; the values of the carried names after it."""
        rec = self.rec
        names = carried_by(body)
        held = rec.heap.born_here(CarriedNames(names, values))

        block, recorded, in_place = rec.frame.block, rec.recorded, []

        def consume(item: Any) -> Any:
            self.item = item
            in_place.append(rec.frame.block is block)
            for function in (condition, body):
                note_cells(rec, function)
            after = as_values(body(*held.values(names)), len(names))
            for name, value in zip(names, after):
                store_attribute(rec, held, name, value)
            return convert_logical_not(condition(*after))

        try:
            convert_ifelse(condition(*values), lambda: self.drive(consume), lambda: None)
        finally:
            self._tell(body, in_place, rec.recorded > recorded)
        return held.values(names)

    def _tell(self, body: Callable, in_place: list[bool], records: bool) -> None:
        """Tell what became of a loop. in_place: of each item, whether it arose where the loop stands, not in what is staged."""
        turns = turns_text(len(in_place))
        if not all(in_place):
            how, why = MOVED, f"the {self.describe()} runs the body for each item, where that arises"
        elif records:
            how, why = UNROLLED, f"{turns}; the {self.describe()} gives the items while staging"
        else:
            how, why = PYTHON, f"{turns}, in which nothing is recorded; the {self.describe()} gives the items while staging"
        tell_loop(self.rec, body, how, why)


def told_of(function: FunctionType) -> dict[str, Any]:
    """What a generator tells of the function that gave it."""
    return {"__name__": function.__name__, "__qualname__": function.__qualname__, "gi_code": function.__code__}


class CarriedNames:
    """The carried names of a loop whose body is pushed into a generator: locations of the journal."""

    def __init__(self, names: tuple[str, ...], values: list):
        vars(self).update(zip(names, values))

    def values(self, names: tuple[str, ...]) -> list:
        return [Attribute(self, name).get() for name in names]


def push_all(source: Any, take: Callable[[Any], Any]) -> None:
    """Call `take` for each item."""

    def consume(item: Any) -> bool:
        take(item)
        return False

    source.drive(consume)
