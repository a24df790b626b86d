"""What references lead to: read, and written by the user's code."""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.types import ListType
from .conversions import Conversions
from .pure_types import has_references, levels
from .state import Content, Listed, Run
from .things import Choice, Element, Location, Place, Thing


class Contents(Conversions):
    """Lists, objects, dicts and cells, wherever they lie."""

    def content(self, thing: Thing) -> Content:
        """What a reference leads to."""
        if isinstance(thing, Element):
            value, run = self.now_at(thing.place, thing.value), self.run_of(thing.place)
            if isinstance(thing.type, ListType):
                return Run(value, run.layouts[thing.place.depth :], run.writes, run.owned)
            return self.content_of(value, thing.type, self.place_now(thing))
        assert isinstance(thing, Location), thing
        return self.state.contents[thing]

    def place_now(self, element: Element) -> Place:
        """The Place of an Element, as it is now."""
        return element.place if self.has_moved(element.place) else element.place._replace(run=self.run_of(element.place))

    def put(self, thing: Thing, content: Content) -> None:
        """The user's code gives what a reference leads to another content."""
        if isinstance(thing, Element):
            self.put_at(thing.place, self.pure_content(content, thing.type))
            if isinstance(content, Run):
                self._note_layouts(thing.place, content)
            return
        assert isinstance(thing, Location), thing
        self.store(thing, content)

    def _note_layouts(self, place: Place, content: Run) -> None:
        run = self.run_of(place)
        layouts = (*run.layouts[: place.depth], *content.layouts)
        self.state.contents[place.root] = Run(run.value, layouts, run.writes, run.owned and content.owned)

    def as_run(self, thing: Thing, position: int | None = None, things: Iterable[Thing] = ()) -> Run:
        """What a list holds, as one sequence. Where it holds references, it is one from here on.

        position, things: what somebody uses later, as `known` takes them.
        """
        content = self.content(thing)
        if isinstance(content, Run):
            return content
        assert isinstance(content, Listed) and isinstance(thing, Location)
        assert isinstance(thing.type, ListType)
        shared = self.reached(content.things) & self.known(position, things, besides=thing)
        self.freeze(shared)
        value = self.pure_content(content, thing.type)
        owned = not shared and not self.has_twins(content.things)
        run = Run(value, tuple(object() for _ in range(levels(thing.type))), owned=owned)
        if has_references(thing.type.elem):
            self.state.contents[thing] = run
        return run

    def one_object(self, thing: Thing) -> Location:
        """A Location that holds what a reference leads to: itself, or one of its own."""
        return thing if isinstance(thing, Location) else self.copy_of(thing)

    def copy_of(self, thing: Thing) -> Location:
        """A Location of its own that holds what a reference leads to."""
        if isinstance(thing, Choice):
            (found,) = self.chosen(thing, lambda part: [self.copy_of(part)])
            assert isinstance(found, Location)
            return found
        return self.new(thing.type, self.content(thing))

    def share_items(self, thing: Thing) -> bool:
        """The items of a list are put into another list, too: whether nobody else knows them."""
        run = self.as_run(thing)
        root = thing.place.root if isinstance(thing, Element) else thing
        if root in self.known():
            assert isinstance(root, Location)
            self.disown(root)
            return False
        return run.owned
