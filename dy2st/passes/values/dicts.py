"""Dicts whose keys are constants: what lies under each key is known by it, in the order of Python.

    %d = dict.new %k, %a, %l, %b  (%k = "x", %l = "y")      d holds {"x": a, "y": b}
    %0 = dict.get %d, %k                             ->     %0 is a
    %1 = dict.get %d, %n                                    %1 = if %n == "x": a, else if %n == "y": b, else KeyError
    %2 = dict.get %e, %m  (one of two members of an Enum)   %2 = if the tag of %m is 0: what lies under the first, else ...

The operator's own kernel runs in the walk, on a dict of things.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.core import Operation, Value
from ...ir.join import kind
from ...ir.native import Atom
from ...ir.types import BOOL, INT, AtomType, DictType, ListType, SumType, TupleType
from ...ops.registry import OPERATORS
from .making import NO_CONSTANT, constant_of
from .refusals import refuse
from .state import Fields, Listed
from .things import Bundle, KnownSum, Location, Thing

if TYPE_CHECKING:
    from .walk import Walk

_UNKNOWN = "the key isn't known while the Program is exported: use a list for each, or write an if for each key that it may be"
_SEARCHED = ("get", "contains", "get_default")


def dict_operator(walk: Walk, op: Operation) -> list[Thing] | None:
    """What an operator on dicts gives; None where it raises."""
    return _DictOperator(walk, op).run()


class _DictOperator:
    def __init__(self, walk: Walk, op: Operation):
        self.walk, self.op = walk, op
        self.name = op.name.partition(".")[2]
        self.things = [walk.thing(v) for v in op.operands]

    def run(self) -> list[Thing] | None:
        if self.name == "new":
            keys = [self._key(thing) for thing in self.things[::2]]
            return [self.walk.new(self.op.result.type, Fields(dict(zip(keys, self.things[1::2]))))]
        if self._is_keyed and (found := self._one_of_objects()) is not None:
            return self.walk.by_tag(found, self._with_key_of(found))
        if self._is_keyed and _known_key(self.things[1]) is NO_CONSTANT and not isinstance(self.things[1], Bundle):
            return self._search()
        unsure = self._unsure()
        return self._by_presence(*unsure) if unsure is not None else self._in_the_walk()

    def _one_of_objects(self) -> KnownSum | None:
        """A key that is one of several Python objects, such as members of an Enum, of which a tag says which it is."""
        key = self.things[1]
        if not isinstance(key.type, SumType) or not all(isinstance(type_, AtomType) for type_ in key.type.alternatives):
            return None
        if isinstance(key, KnownSum):
            return key
        tag = self.walk.make("sum.tag", [self.walk.pure(key)], INT)
        kinds = enumerate(key.type.alternatives)
        return KnownSum(key.type, tag, {k: self._object(type_.text) for k, type_ in kinds if isinstance(type_, AtomType)})

    def _with_key_of(self, key: KnownSum) -> Callable[[int], list[Thing] | None]:
        """The same operator, where the key is known to be one of the alternatives."""

        def run(k: int) -> list[Thing] | None:
            one = _DictOperator(self.walk, self.op)
            one.things[1] = key.parts[k]
            return one.run()

        return run

    def _object(self, text: str) -> Value:
        return self.walk.make("atom", [], AtomType(text), {"text": text})

    def _in_the_walk(self) -> list[Thing] | None:
        operands = [self._operand(k, thing) for k, thing in enumerate(self.things)]
        before = self._fields(0)
        try:
            result = OPERATORS[self.op.name].kernel(*operands)
        except KeyError as error:
            self.walk.errors.raises_itself(self.op, "KeyError", ("LookupError",), list(error.args))
            return None
        if 0 in OPERATORS[self.op.name].mutates:
            self.walk.put(self.things[0], Fields(operands[0], before.present if self._is_keyed else {}))
        return [self._thing(result)] if self.op.results else []

    # --- keys that may be there ----------------------------------------------------------------------------------------

    def _unsure(self) -> tuple[Location, Any] | None:
        """A dict, and a key that it may have, on which the operator depends."""
        if self.name in ("copy", "clear"):
            return None
        asked = {self._key(self.things[1])} if self._is_keyed else None
        for k, thing in enumerate(self.things):
            if self._is_dict(k):
                assert isinstance(thing, Location)
                for key in self._fields(k).present:
                    if asked is None or key in asked:
                        return thing, key
        return None

    def _by_presence(self, location: Location, key: Any) -> list[Thing] | None:
        """The operation where the key is there, and where it isn't."""
        walk = self.walk
        before = walk.state.contents[location]
        assert isinstance(before, Fields)

        def on(is_there: bool) -> list[Thing] | None:
            walk.state.contents[location] = before.known(key, is_there)
            return _DictOperator(walk, self.op).run()

        found = walk.branch(before.present[key], lambda: on(True), lambda: on(False))
        if 0 not in OPERATORS[self.op.name].mutates and found is not None:
            walk.state.contents[location] = before
        return found

    @property
    def _is_keyed(self) -> bool:
        return len(self.things) > 1 and not isinstance(self.op.operands[1].type, DictType)

    def _fields(self, k: int) -> Fields:
        content = self.walk.content(self.things[k])
        assert isinstance(content, Fields)
        return content

    def _is_dict(self, k: int) -> bool:
        """Whether an operand is a dict that the operator looks into."""
        return isinstance(self.op.operands[k].type, DictType) and (k == 0 or self.name in ("update", "merge"))

    def _operand(self, k: int, thing: Thing) -> Any:
        """An operand as the kernel takes it: a dict of things, a key, or a thing."""
        if self._is_dict(k):
            return dict(self._fields(k).things)
        return self._key(thing) if k == 1 else thing

    def _key(self, thing: Thing) -> Any:
        if isinstance(thing, Bundle) and not thing.type.name:
            return tuple(map(self._key, thing.things))
        found = _known_key(thing)
        if found is NO_CONSTANT:
            raise refuse(self.op, _UNKNOWN)
        return found

    def _thing(self, result: Any) -> Thing:
        """What the kernel gives, as a thing."""
        walk, type_ = self.walk, self.op.result.type
        if isinstance(result, dict):
            return walk.new(type_, Fields(result, self._fields(0).present if self.name == "copy" else {}))
        if isinstance(result, list):
            assert isinstance(type_, ListType)
            if self.name == "values":
                return walk.new(type_, Listed(tuple(walk.fitted(x, type_.elem) for x in result)))
            make = self._item if self.name == "items" else self._key_thing
            return walk.new(type_, Listed(tuple(walk.fitted(make(x), type_.elem) for x in result)))
        if self.name == "popitem":
            return walk.fitted(self._item(result), type_)
        if isinstance(result, bool | int):
            return walk.const(result)
        return walk.fitted(result, type_)

    def _key_thing(self, key: Any) -> Thing:
        if isinstance(key, tuple):
            things = tuple(map(self._key_thing, key))
            return Bundle(TupleType(tuple(x.type for x in things)), things)
        return self._object(key.text) if isinstance(key, Atom) else self.walk.const(key)

    def _item(self, pair: tuple[Any, Thing]) -> Thing:
        key = self._key_thing(pair[0])
        return Bundle(TupleType((key.type, pair[1].type)), (key, pair[1]))

    # --- keys that are computed ----------------------------------------------------------------------------------------

    def _search(self) -> list[Thing] | None:
        """The keys are asked one after the other."""
        key, held = self.things[1], self._fields(0).things
        if self.name not in _SEARCHED or not isinstance(key, Value) or isinstance(key.type, TupleType | SumType):
            raise refuse(self.op, _UNKNOWN)
        fitting = [k for k in held if kind(self._key_thing(k).type) == kind(key.type)]
        return self._among(key, fitting, held)

    def _among(self, key: Value, names: list[Any], held: dict[Any, Thing]) -> list[Thing] | None:
        walk = self.walk
        if not names:
            return self._absent(key)
        first, *others = names
        is_first = self._is_key(key, first)
        flag = self._fields(0).present.get(first)

        def found() -> list[Thing] | None:
            if flag is None:
                return self._present(held[first])
            return walk.branch(flag, lambda: self._present(held[first]), lambda: self._absent(key))

        return walk.branch(is_first, found, lambda: self._among(key, others, held))

    def _is_key(self, key: Value, name: Any) -> Value:
        """Whether a computed key is this one; of the text of an int, such as a module of a list is kept under, by the int."""
        number = _spelled(key)
        if number is None:
            return self.walk.make("py.eq", [key, self.walk.const(name)], BOOL)
        if not (name.removeprefix("-").isdecimal() and str(int(name)) == name):
            return self.walk.const(False)
        return self.walk.make("py.eq", [number, self.walk.const(int(name))], BOOL)

    def _present(self, thing: Thing) -> list[Thing]:
        return [self.walk.const(True) if self.name == "contains" else self.walk.fitted(thing, self.op.result.type)]

    def _absent(self, key: Value) -> list[Thing] | None:
        if self.name == "contains":
            return [self.walk.const(False)]
        if self.name == "get_default":
            return [self.walk.fitted(self.things[2], self.op.result.type)]
        self.walk.errors.raises_itself(self.op, "KeyError", ("LookupError",), [key])
        return None



def _spelled(key: Value) -> Value | None:
    """The int of which a key is the text, as `str` gives it."""
    op = key.owner
    if not isinstance(op, Operation) or op.name != "py.str" or op.operands[0].type != INT:
        return None
    return op.operands[0]


def _known_key(thing: Thing) -> Any:
    """A constant, or a Python object that has no literal; NO_CONSTANT for anything else."""
    return Atom(thing.type.text) if isinstance(thing.type, AtomType) else constant_of(thing)
