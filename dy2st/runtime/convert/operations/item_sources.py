"""Sources of the items of a `for` loop: a position in a sequence, or a Python iterator read one item ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType, WrapperDescriptorType
from typing import Any

from ....errors import ConversionError
from ....pytree import is_container
from ...heap.markers import Restage
from ...heap.own_attributes import in_classes
from ...library import DictView, Written
from ...proxies import Staged, StagedSum, recorder
from ...recorder.recorder import Recorder, current_recorder
from ...where.faults import as_the_user
from ...where.user_code import user_instruction, user_loc
from .logical import convert_logical_and, convert_logical_not


class Iteration:
    """A position in something that can be indexed: `more()` and `next()` look at it, `advance()` moves on."""

    is_traced = False  # whether what has been consumed is a location of the journal
    has_flags = True  # whether a loop over it may be left before its end, as far as is known
    is_watched = False  # whether `watch` may ever find something
    is_steady = True  # whether `watch` would find nothing now, and record nothing
    may_be_endless = False  # whether it may give items for ever, as far as is known
    stands_for: Any = Iterator  # the class that the user knows it by; of what iterates a union, a union of classes

    def __init__(self, length: Callable[[], Any], item: Callable[[Any], Any]):
        self.position: Any = 0
        self._length, self._item = length, item

    @property
    def is_staged(self) -> bool:
        return isinstance(self._length(), Staged)

    def __repr__(self) -> str:
        kind = "iterator" if isinstance(self.stands_for, StagedSum) else self.stands_for.__name__
        return f"<{kind} object at {id(self):#x}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise ConversionError(f"{user_loc()}: a copy of an iterator, which is only where staging is; copy list(...) of the rest")

    def __getattr__(self, name: str) -> Any:
        cls = self.stands_for
        return recorder().on_alternatives(cls, lambda x: _absent(x, name)) if isinstance(cls, StagedSum) else _absent(cls, name)

    def more(self, unless: Any = None) -> Any:
        """Whether the loop goes on: there is another item, and no break or return has set the flag `unless`."""
        self.has_flags = unless is not None
        if unless is None or unless is False:
            return self._goes_on()
        known = self._known_more() if self.is_steady and not self.is_staged else None
        if known is not None:
            return known and convert_logical_not(unless)  # which needs no `if`
        return convert_logical_and(convert_logical_not(unless), self._goes_on)

    def _goes_on(self) -> Any:
        if self.is_watched:
            self.watch(self.position)
        return self._more()

    def watch(self, position: Any) -> None:
        """Raise what Python raises where what is iterated has changed before the item at `position`."""

    def open(self) -> None:
        """A loop over it begins."""

    def close(self) -> None:
        """The loop is over: what it iterated may change again."""

    def let_go(self) -> None:
        """A loop over it has run: at its end it lets go of what it iterated, as Python's iterators do."""

    def _more(self) -> Any:
        return self.position < self._length()

    def _known_more(self) -> bool | None:
        """Whether it has a next item, as far as that is known. It isn't asked for one: the loop may have been left."""
        known = self._more()
        return known if isinstance(known, bool) else None

    def has_ended(self) -> bool:
        """Whether it is known to have no next item."""
        return self._known_more() is False

    def next(self) -> Any:
        return self._item(self.position)

    def advance(self) -> None:
        self.position = self.position + 1

    def leave(self) -> None:
        """A loop may have left it before its end, which only the Program knows."""
        recorder().iterators.left[id(self)] = self

    def __next__(self) -> Any:
        return recorder().convert_call(next)(self)

    def __iter__(self) -> Iterator:
        if self.is_staged:
            recorder().convert_unpackings()
            raise ConversionError(
                f"{user_loc()}: how many items there are is known only when the Program runs, and code that isn't "
                "converted has to know it while staging: pass the list itself, or take its items by index"
            )
        while self.more():
            item = self.next()
            self.advance()
            yield item


def _absent(cls: type, name: str) -> Any:
    """AttributeError: iterators of a class have no attribute of this name. ConversionError: they have, in plain Python."""
    if hasattr(cls, name) and not name.startswith("_"):
        raise ConversionError(f"{user_loc()}: .{name} of this {cls.__name__} isn't known while staging; leave it out")
    raise AttributeError(f"'{cls.__name__}' object has no attribute '{name}'")


def refuse_outside(rec: Recorder, iterator: Any) -> None:
    """ConversionError for an iterator of Python's that the function hasn't made: it would go on while staging only."""
    cls = type(iterator)
    if issubclass(cls, Iteration) or not isinstance(in_classes(cls.__mro__, "__next__"), WrapperDescriptorType):
        return
    if rec.heap.birth(iterator) is None and rec.facts.find_root(iterator) is not None:
        raise ConversionError(
            f"{rec.here()}: this {cls.__name__} from outside would go on while staging, and then never again; call next(), or "
            "list(), outside and pass the items in"
        )


def refuse_untraceable(rec: Recorder, iterator: Any) -> None:
    """ConversionError where an iterator was, or would be, consumed in a way that a trial can't take back."""
    refuse_outside(rec, iterator)
    known = isinstance(iterator, Iteration)
    if not known and (not isinstance(iterator, Iterator) or isinstance(getattr(type(iterator), "__next__", None), FunctionType)):
        return
    is_outside = not rec.heap.is_local(iterator) and (rec.heap.birth(iterator) is not None or not known)
    is_tried = is_outside and not getattr(iterator, "is_traced", False) and rec.facts.refuse_trials(rec.frames[1:])
    if id(iterator) in rec.iterators.left or is_tried:
        make_pulled(rec, iterator)
        raise ConversionError(
            f"{rec.here()}: how far this iterator has been consumed is known only when the Program runs; make a list of it where "
            "it is made, list(...), or make it where it is used"
        )


def note_made(iterator: Any) -> Any:
    """An iterator is made here, by a built-in: if a Program can't tell how far it is, it can be made in another form."""
    rec = current_recorder()
    if rec is None:
        return iterator
    rec.iterators.made_at[id(iterator)] = iterator, user_instruction()
    return rec.new(iterator)


def make_pulled(rec: Recorder, iterator: Any) -> None:
    """Stage again, with an iterator made so that the Program keeps how far it is."""
    _, site = rec.iterators.made_at.get(id(iterator), (None, None))
    if site is not None and site not in rec.facts.pulled:
        rec.facts.pulled.add(site)
        raise Restage.of_function()


class Consumption(Iteration):
    """A Python iterator, read one item ahead."""

    may_be_endless = True

    _END = object()

    def __init__(self, iterator: Iterator):
        self._iterator = iterator
        self._ahead: Any = None
        self._read = False
        self.position = 0

    is_staged = False  # type: ignore[assignment]

    def _more(self) -> bool:
        if not self._read:
            self._ahead, self._read = as_the_user(next, self._iterator, self._END), True
        return self._ahead is not self._END

    def _known_more(self) -> bool | None:
        return self._ahead is not self._END if self._read else None

    def next(self) -> Any:
        return self._ahead

    def advance(self) -> None:
        self._ahead, self._read = None, False
        self.position += 1

    def leave(self) -> None:
        recorder().iterators.left[id(self._iterator)] = self._iterator


class Stepped(Consumption):
    """What the `__next__` of a class of the user's gives: each item only when it is asked for, and perhaps without an end."""

    def __init__(self, iterator: Iterator, cls: type):
        super().__init__(iterator)
        self._cls = cls

    def next(self) -> Any:
        if not recorder().is_visible(self._ahead):
            name = self._cls.__name__
            raise ConversionError(
                f"{user_loc()}: whether this loop has been left is known only when the Program runs, and then '{name}.__next__' "
                f"must not be called again; write the __iter__ of {name} as a generator, or the loop as it = iter(xs), "
                "while True: item = next(it)"
            )
        return super().next()


class Steps:
    """What a `for` loop iterates where nothing is staged: `more()` is asked once for each item.

    iterator: Python's own. item: the one that it has given last. has_flags: whether the loop can be left before its end.
    """

    __slots__ = ("iterator", "item", "has_flags")

    def __init__(self, iterable: Any):
        self.iterator = iter(iterable)

    def more(self, unless: Any = None) -> bool:
        self.has_flags = unless is not None
        if not unless:
            for item in self.iterator:
                self.item = item
                return True
        return False

    def next(self) -> Any:
        return self.item


def is_read_once(value: object) -> bool:
    """Whether code runs for each item of an iterable: an iterator, or an object of the user's with an `__iter__`, no mapping."""
    if isinstance(value, Iteration):
        return True
    is_users = isinstance(getattr(type(value), "__iter__", None), FunctionType) and not hasattr(type(value), "keys")
    return is_users and not isinstance(value, Staged | Written | DictView) and not is_container(value)


def says_length(value: object) -> bool:
    """Whether an object of the user's, with an `__iter__`, says how many items it gives: Python asks it for a list or tuple."""
    cls = type(value)
    own = [isinstance(getattr(cls, name, None), FunctionType) for name in ("__iter__", "__len__", "__length_hint__")]
    return own[0] and any(own[1:]) and not isinstance(value, Staged | Written | DictView | Iteration)


def fails_between(cls: type, other: Any) -> bool:
    """Whether a method that takes in another iterable may fail between two items: Python keeps those before."""
    if is_read_once(other):
        return True
    if cls is dict and isinstance(getattr(type(other), "keys", None), FunctionType):
        return not isinstance(other, Staged | Written)
    if type(other) not in (list, tuple):
        return False
    return (cls is set and any(type(item) in UNHASHABLE for item in other)) or (cls is dict and not all(map(_is_entry, other)))


UNHASHABLE = (list, dict, set)


def _is_entry(pair: Any) -> bool:
    """Whether an item of a known list can go into a dict, as far as it is known: the Program says of others."""
    if isinstance(pair, Staged):
        return True
    return type(pair) in (list, tuple) and len(pair) == 2 and type(pair[0]) not in UNHASHABLE
