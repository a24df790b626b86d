"""Text of values that are known only when the Program runs: f-strings, `str.format`, `%`, `str`, `repr`, `format`, `print`."""

from __future__ import annotations

import dataclasses
import io
import itertools
import operator
import re
import sys
from collections import deque
from collections.abc import Callable, Iterator
from enum import Enum
from string import Formatter
from types import FunctionType, MethodType, SimpleNamespace
from typing import Any

from .... import pytree
from ....errors import ConversionError
from ....ir.types import TensorType
from ....ops.dispatch import RECORDERS
from ....ops.python.strings import METHODS
from ....ops.registry import lookup
from ....python_library import LOCKS, is_library_file
from ...heap.identity import SCALARS, are_scalars
from ...heap.own_attributes import has_special
from ...heap.staged_objects import contents, is_staged_object, python_class, user_class
from ...library import Kept, texts
from ...library.base import name_in_c
from ...proxies import (
    SpelledLate,
    Staged,
    StagedContainer,
    StagedDict,
    StagedList,
    StagedNumber,
    StagedSet,
    StagedStr,
    StagedSum,
    as_own,
    by_position,
    own_index,
)
from ...recorder.caught import OBJECTS, Caught
from ...recorder.recorder import Recorder, current_recorder, recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ...where.spelled_once import spelled_once
from ..iteration.entries import refuse_uniterable, staged_iteration
from ..iteration.gathering import gathered
from ..operations.access import at
from ..operations.ifelse import convert_ifelse
from ..operations.item_sources import Iteration, refuse_outside
from ..operations.structures import holds_scalars, is_staged_in, known_class, resolved_in
from ..operations.sums import first_open, first_sum, instead, of_each_kind
from .foreign import foreign_function
from .introspection import convert_getattr


def convert_format(template: str, *values: Any, **named: Any) -> Any:
    """`template.format(*values, **named)`; an f-string is written this way, with a field for each value."""
    if not RECORDERS:
        return template.format(*values, **named)
    if "." in template and (rec := current_recorder()) is not None:
        rec.facts.guards.mention_names(ATTRIBUTE.findall(template))
    if not _any_staged((*values, *named.values())):
        return as_the_user(template.format, *values, **named)
    return _joined(list(_pieces(template, values, named, _Numbering(len(values)))))


def convert_percent(template: str, values: Any) -> Any:
    """`template % values`."""
    if not RECORDERS:
        return template % values
    if type(values) in SCALARS or (type(values) is tuple and are_scalars(values)):
        return as_the_user(operator.mod, template, values)
    by_name = any(field["name"] for field in PERCENT.finditer(template))
    if issubclass(python_class(values) or object, dict if by_name else tuple):
        values = contents(values)
    given = values if type(values) is tuple else (values,)
    if not _any_staged(given) and not any(_number_method(x, letter) for x in given for letter in "xdf"):
        return as_the_user(operator.mod, template, values)
    if isinstance(values, StagedSum):
        return recorder().on_alternatives(values, lambda x: convert_percent(template, x))
    fields = [field for field in PERCENT.finditer(template) if field["letter"] != "%"]
    if any(field["name"] for field in fields):
        cls = known_class(values)
        if issubclass(cls, tuple | str | deque | StagedNumber) or not has_special(cls, "__getitem__"):
            as_the_user(operator.mod, template, ())  # which raises
        operands = tuple([at(values)[field["name"]] for field in fields])
    else:
        operands = values if isinstance(values, tuple) else (values,)
    letters = "".join("*" * field["width"].count("*") + field["letter"] for field in fields)
    spelled = [_spelled_as(letter, x) for letter, x in itertools.zip_longest(letters, operands)]
    spelled = spelled[: len(operands)]
    template = PERCENT.sub(_by_position, template)
    known = not any(isinstance(x, Staged | Tensor) for x in spelled)
    return as_the_user(operator.mod, template, tuple(spelled)) if known else lookup("str.percent")(template, *spelled)


ATTRIBUTE = re.compile(r"\.(\w+)")  # of a field such as {0.name}
PERCENT = re.compile(r"%(?:\((?P<name>[^)]*)\))?(?P<width>[-#0 +]*(?:\*|\d*)(?:\.(?:\*|\d*))?)[hlL]?(?P<letter>[a-zA-Z%])")


def _by_position(field: re.Match) -> str:
    """A field without its name, and `%r` and `%a` as `%s`: the value is spelled already."""
    return f"%{field['width']}{'s' if field['letter'] in SPELLED else field['letter']}"


def convert_str(object: Any = "", *rest: Any, **named: Any) -> Any:
    return as_the_user(str, object, *rest, **named) if rest or named else _text(object, "__str__", "py.str", str)


def convert_repr(value: Any) -> Any:
    return _text(value, "__repr__", "py.repr", repr)


def convert_ascii(value: Any) -> Any:
    text = convert_repr(value)
    if isinstance(text, Staged):
        return lookup("py.spell")(text, name="ascii")
    return text.encode("ascii", "backslashreplace").decode()


def builtin_format(value: Any, spec: Any = "") -> Any:
    return _field(value, spec, "") if _any_staged((value, spec)) else as_the_user(format, value, spec)


def convert_print(*values: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: bool = False) -> None:
    """While staging, print when the Program runs; to a file that the function has made, at once."""
    rec = current_recorder()
    if rec is None:
        as_the_user(print, *values, sep=sep, end=end, file=file, flush=flush)
        return
    if (one := first_open((sep, end))) is not None:
        again = lambda x: convert_print(*values, sep=x if sep is one else sep, end=x if end is one else end, file=file)  # noqa: E731
        of_each_kind(rec, one, again)
        return
    for name, text in (("sep", sep), ("end", end)):
        if text is not None and not issubclass(cls := known_class(rec.heap.resolve(text)), str):
            raise TypeError(f"{name} must be None or a string, not {cls.__name__}")
    file = sys.stdout if file is None else file
    sep, end = " " if sep is None else sep, "\n" if end is None else end
    stream = next((name for name, found in rec.streams.items() if found is file), None)
    if stream is not None:
        lookup("io.print")(*map(_printable, values), sep=sep, end=end, **({} if stream == "stdout" else {"to": stream}))
    elif file is not None:
        _print_to(rec, file, values, sep, end)
        if flush:
            rec.convert_call(file.flush)()


def _print_to(rec: Recorder, file: Any, values: tuple, sep: Any, end: Any) -> None:
    """Write to an object as `print` does: piece by piece."""
    if isinstance(file, io.IOBase) and not rec.heap.is_local(file):
        raise ConversionError(
            f"{rec.here()}: print(..., file=...) would write while staging, not when the Program runs; print without a file, "
            "or return the text"
        )
    write = rec.convert_call(file.write)
    for k, value in enumerate(values):
        if k:
            write(sep)
        write(convert_str(value))
    write(end)


def string_method(text: str, name: str) -> Callable | None:
    """A method of a string that may be given staged values; None for one that can't."""
    if name == "format":
        return lambda *values, **named: convert_format(text, *values, **named)
    if name == "format_map":
        return lambda table: _format_map(text, table)
    if name == "join":
        return lambda parts: _join(text, parts)
    if name not in METHODS:
        return None
    return lambda *args, **kwargs: _method(text, name, args, kwargs)


def _method(text: str, name: str, args: tuple, kwargs: dict) -> Any:
    one = first_sum((args, kwargs))
    if one is not None:
        again = lambda x: _method(text, name, *instead((args, kwargs), one, x))  # noqa: E731
        return recorder().on_alternatives(one, again)
    first = 0 if name in WIDTHS else 2 if name == "replace" else 1
    args = (*args[:first], *map(own_index, args[first:]))
    if not is_staged_in((args, kwargs)):
        found = as_the_user(getattr(text, name), *args, **kwargs)
        return recorder().new(found) if type(found) is list else found
    return lookup("str.method")(text, *map(as_own, by_position(name, args, kwargs)), name=name)


WIDTHS = ("center", "ljust", "rjust", "zfill", "expandtabs", "splitlines")  # methods whose first argument is an int


def _format_map(text: str, table: Any) -> str:
    """`text.format_map(table)`; a dict of spelled keys may hold what only the Program knows."""
    table = recorder().heap.resolve(table)
    if type(table) is dict and is_staged_in(table):
        return convert_format(text, **table)
    return foreign_function(recorder(), text.format_map)(table)


def _join(separator: str, parts: Any) -> Any:
    rec = recorder()
    if holds_scalars(rec, parts):
        return as_the_user(separator.join, parts)
    refuse_outside(rec, parts)
    refuse_uniterable(rec, rec.heap.resolve(parts), "can only join an iterable")
    parts = rec.heap.resolve(parts)
    found = parts if isinstance(parts, Iteration) else staged_iteration(rec, parts)
    items = rec.heap.resolve(gathered(rec, found)) if found is not None else parts
    if not is_staged_in(items):  # `join` asks no `__str__`
        return as_the_user(separator.join, items)
    if isinstance(items, list | tuple):
        items = rec.new([_part(item, position) for position, item in enumerate(items)])
    return lookup("str.join")(separator, items)


def _part(item: Any, position: int) -> Any:
    """What `join` takes: a text, also where it is one of several; TypeError for anything else."""
    item = recorder().heap.resolve(item)
    if isinstance(item, StagedSum):
        return recorder().on_alternatives(item, lambda x: _part(x, position))
    if not isinstance(item, Staged | str):
        raise TypeError(f"sequence item {position}: expected str instance, {type(item).__name__} found")
    return as_own(item)


# --- fields ----------------------------------------------------------------------------------------------------------------


class _Numbering:
    """Which values the fields of a template name: one after another, or by number, but not both."""

    def __init__(self, count: int):
        self._count, self._next, self._ways = count, 0, set[str]()

    def name(self, field: str) -> str:
        """The name of a field, with its number."""
        in_turn = field[:1] in ("", ".", "[")
        if not in_turn and not field[0].isdigit():
            return field
        self._ways.add("automatic field numbering" if in_turn else "manual field specification")
        if len(self._ways) == 2:
            was, to = sorted(self._ways, reverse=in_turn)
            raise ValueError(f"cannot switch from {was} to {to}")
        name = f"{self._next}{field}" if in_turn else field
        self._next += in_turn
        number = int("".join(itertools.takewhile(str.isdigit, name)))
        if number >= self._count:
            raise IndexError(f"Replacement index {number} out of range for positional args tuple")
        return name


def _pieces(template: str, values: tuple, named: dict, numbers: _Numbering) -> Iterator[Any]:
    """The literal texts and formatted fields of a template, each a string or a staged one."""
    for literal, field, spec, conversion in as_the_user(list, Formatter().parse(template)):
        yield literal
        if field is not None:
            value, _ = as_the_user(Formatter().get_field, numbers.name(field), values, named)
            inner = _joined(list(_pieces(spec, values, named, numbers))) if spec else ""
            yield _field(value, inner, conversion or "")


def _joined(pieces: list) -> Any:
    pieces = [piece for piece in pieces if isinstance(piece, Staged) or piece]
    if not any(isinstance(piece, Staged) for piece in pieces):
        return "".join(pieces)
    return pieces[0] if len(pieces) == 1 else lookup("str.concat")(*pieces)


def _field(value: Any, spec: Any, conversion: str) -> Any:
    """`format(value, spec)` after a conversion such as `!r`."""
    if isinstance(value, StagedSum):
        return recorder().on_alternatives(value, lambda x: _field(x, spec, conversion))
    if conversion == "r":
        value, conversion = convert_repr(value), ""
    elif conversion == "s":
        value, conversion = convert_str(value), ""
    elif conversion == "a":
        value, conversion = convert_ascii(value), ""
    if (rec := current_recorder()) is not None and rec.facts.policy.spells:
        value = _lifted(rec, value)
        value = rec.facts.policy.formatted(value, spec) if isinstance(value, Tensor) else value
    method = _own_method(type(value), "__format__")
    if method is not None and not conversion and not isinstance(value, Staged | Tensor):
        return as_the_user(format, value, spec) if rec is None else rec.convert_call(method)(value, spec)
    if not conversion and not isinstance(value, Tensor) and (isinstance(spec, StagedStr) or isinstance(value, StagedContainer)):
        _refuse_spec(known_class(value), spec)
    if isinstance(value, slice) and spec == "":
        return convert_str(value)
    takes_no_spec = type(value).__format__ is object.__format__ and not isinstance(spec, Staged) and spec
    pads_itself = isinstance(value, PRINTABLE) and isinstance(spec, str) and spec != ""  # and asks no `__str__`
    if not takes_no_spec and not pads_itself and (isinstance(value, Tensor) or _any_staged((value, spec))):
        value = _printable(value)
    if isinstance(value, Staged | Tensor) or isinstance(spec, Staged):
        if isinstance(value, StagedStr) and not isinstance(spec, Staged) and spec == conversion == "":
            return value
        return lookup("str.format")(value, spec=spec, conversion=conversion)
    return as_the_user(format, value, spec)


def _refuse_spec(cls: type, spec: Any) -> None:
    """TypeError where a class takes no format specification, and there is one."""

    def refuse() -> None:
        raise TypeError(f"unsupported format string passed to {name_in_c(cls)}.__format__")

    if cls.__format__ is object.__format__:
        convert_ifelse(lookup("str.len")(spec) > 0 if isinstance(spec, Staged) else spec != "", refuse, lambda: None)


def _text(value: Any, special: str, recorded: str, python: Callable[[Any], str]) -> Any:
    """`str` or `repr` of a value: part by part, by its class's own method, or what the Program says."""
    rec = current_recorder()
    if rec is None:
        return as_the_user(python, value)
    if isinstance(value, StagedSum):
        return rec.on_alternatives(value, lambda x: _text(x, special, recorded, python))
    value = _lifted(rec, rec.heap.resolve(value))
    if isinstance(value, SimpleNamespace):
        rec.facts.read_names(rec, value)
    if isinstance(value, BaseException) and getattr(type(value), special) in SAID_OF_ARGUMENTS:
        return (_of_message if special == "__str__" else _of_exception)(type(value), value.args)
    if not _any_staged((value,)):
        return as_the_user(python, value)
    if isinstance(value, LOCKS):
        return as_the_user(rec.convert_call(type(value).__repr__.__get__(value)))  # it says whether somebody holds the lock
    if isinstance(value, Caught):
        return value._spelled(special, _of_message if special == "__str__" else _of_exception)
    if isinstance(value, SpelledLate):
        return value.spelled()
    if isinstance(value, StagedContainer) and _is_spelled_by_items(rec, value):
        return _of_items(rec, value)
    if isinstance(value, Staged | Tensor):
        if isinstance(value, Tensor) and rec.facts.policy.spells:
            return rec.facts.policy.text_of(value)
        return lookup(recorded)(value)
    method = _own_method(user_class(value) if is_staged_object(value) else type(value), special)
    if isinstance(value, list | tuple | dict) and (method is None or is_library_file(method.__code__.co_filename)):
        return spelled_once(lambda: value, _around(value, "..."), lambda: _of_parts(value))
    if isinstance(value, slice):
        return _enclosed("slice(", [convert_repr(part) for part in (value.start, value.stop, value.step)], ")")
    if issubclass(type(value), Kept):
        kind = type(value).__stands_for__.__name__
        raise ConversionError(f"{rec.here()}: the text of a {kind} that is known only when the Program runs; write what it holds")
    if method is None:
        return as_the_user(python, value) if isinstance(value, PRINTABLE) else lookup(recorded)(value)
    if _is_generated(method):
        return spelled_once(lambda: value, "...", lambda: _of_fields(value))
    return rec.convert_call(method)(value)


def _of_parts(value: list | tuple | dict) -> Any:
    """The text of a list, tuple or dict: that of its items, put together."""
    if isinstance(value, dict):
        return _enclosed("{", [_joined([convert_repr(k), ": ", convert_repr(v)]) for k, v in value.items()], "}")
    names = getattr(value, "_fields", None)
    items = [convert_repr(item) for item in value]
    if names is not None:
        return _enclosed(f"{type(value).__name__}(", [_joined([f"{k}=", item]) for k, item in zip(names, items)], ")")
    if isinstance(value, tuple):
        return _enclosed("(", items, ",)" if len(items) == 1 else ")")
    return _enclosed("[", items, "]")


def _is_spelled_by_items(rec: Recorder, value: StagedContainer) -> bool:
    """Whether a container holds what only staging can spell: the user's objects, or tensors of another library."""
    type_ = rec.type_of(value)
    return type_.holds(*OBJECTS) or (rec.facts.policy.spells and type_.holds(TensorType))


def _of_items(rec: Recorder, value: StagedContainer) -> Any:
    """The text of a container that only the Program knows, of those of its items."""
    if isinstance(value, StagedDict):
        return _joined(["{", rec.convert_call(texts.of_entries)(value), "}"])
    if isinstance(value, StagedList):
        return _joined(["[", rec.convert_call(texts.of_items)(value), "]"])
    return rec.convert_call(texts.of_set if isinstance(value, StagedSet) else texts.of_tuple)(value)


SAID_OF_ARGUMENTS = (BaseException.__str__, KeyError.__str__, BaseException.__repr__)


def _of_message(cls: type, args: tuple) -> Any:
    """`str(error)` of an exception of this class with these arguments."""
    if len(args) != 1:
        return convert_repr(args) if args else ""
    return convert_repr(args[0]) if cls.__str__ is KeyError.__str__ else convert_str(args[0])


def _of_exception(cls: type, args: tuple) -> Any:
    """`repr(error)` of an exception of this class with these arguments."""
    return _enclosed(f"{cls.__name__}(", [convert_repr(arg) for arg in args], ")")


def _around(value: list | tuple | dict, text: str) -> str:
    """A text in the brackets of a list, tuple or dict."""
    return f"{{{text}}}" if isinstance(value, dict) else f"({text})" if isinstance(value, tuple) else f"[{text}]"


def _of_fields(value: Any) -> Any:
    """The text of a dataclass's generated `__repr__`, which has no source."""
    shown = [field.name for field in dataclasses.fields(value) if field.repr]
    parts = [_joined([f"{name}=", convert_repr(convert_getattr(value, name))]) for name in shown]
    return _enclosed(f"{type(value).__qualname__}(", parts, ")")


def _enclosed(start: str, parts: list, end: str) -> Any:
    pieces = [piece for part in parts for piece in (", ", part)][1:]
    return _joined([start, *pieces, end])


def _own_method(cls: type, special: str) -> FunctionType | None:
    """The method of the user's that spells objects of a class; `str` falls back on `__repr__`."""
    method = getattr(cls, special, None)
    if special == "__str__" and method is object.__str__:
        method = getattr(cls, "__repr__", None)
    return method if isinstance(method, FunctionType) else None


def _is_generated(method: FunctionType) -> bool:
    """Whether this is the `__repr__` of a dataclass: Python writes its text, and wraps it against endless recursion."""
    inner = getattr(method, "__wrapped__", None)
    return inner is not None and inner.__code__.co_filename == "<string>" and is_library_file(method.__code__.co_filename)


def _printable(value: Any) -> Any:
    """What an operator can spell when the Program runs."""
    rec = recorder()
    value = _lifted(rec, rec.heap.resolve(value))
    if isinstance(value, Caught):
        return convert_str(value)
    if isinstance(value, StagedSum | Enum):
        return convert_str(value)
    spells_itself = isinstance(value, PRINTABLE) and _own_method(type(value), "__str__") is None
    if spells_itself:
        return as_own(value)
    if isinstance(value, StagedContainer):
        return convert_str(value)
    is_known_late = isinstance(value, Staged) or (isinstance(value, Tensor) and not rec.facts.policy.spells)
    return value if is_known_late or value is None else convert_str(value)


def _spelled_as(letter: str | None, value: Any) -> Any:
    """What a field of `%` takes: a text for r, s and a, else a number, or what Python says of anything else."""
    if letter in SPELLED:
        return SPELLED[letter](value)
    value = recorder().heap.resolve(value)
    if isinstance(value, StagedSum):
        return recorder().on_alternatives(value, lambda x: _spelled_as(letter, x))
    if isinstance(value, StagedContainer):
        as_the_user(operator.mod, f"%{letter}", (value.stands_for(),))  # which raises
    if letter not in (None, "*") and (method := _number_method(value, letter)) is not None:
        return recorder().convert_call(method)()
    if letter not in (None, "*") and not isinstance(value, Staged | Tensor):
        as_the_user(operator.mod, f"%{letter}", (value,))
    return as_own(value)


def _number_method(value: Any, letter: str) -> MethodType | None:
    """The method of the user's that gives a field of `%` its number."""
    if type(value) in SCALARS or isinstance(value, Staged | Tensor):
        return None
    names = NUMBER_METHODS["x" if letter in "xXoc" else "d" if letter in "diu" else "f"]
    found = next((method for name in names if isinstance(method := getattr(type(value), name, None), FunctionType)), None)
    return None if found is None else MethodType(found, value)


NUMBER_METHODS = {"x": ("__index__",), "d": ("__int__", "__index__"), "f": ("__float__", "__index__")}


PRINTABLE = (bool, int, float, str)
SPELLED = {"r": convert_repr, "s": _printable, "a": convert_ascii}  # what letters of `%` ask for; others take a number


def _any_staged(values: tuple) -> bool:
    """Whether something in these values, or in what they hold, is known only when the Program runs."""
    rec = current_recorder()
    return rec is not None and any(_is_told_late(_lifted(rec, value)) for value in resolved_in(rec, values))


def _lifted(rec: Recorder, value: Any) -> Any:
    """A Tensor in place of a tensor of another library, whose elements only the Program knows."""
    found = rec.facts.policy.lifted(value) if rec.facts.policy.spells else None
    return value if found is None else found


TOLD_LATE = (Staged, Tensor, SpelledLate, *LOCKS)


def _is_told_late(value: Any) -> bool:
    if isinstance(value, TOLD_LATE):
        return True
    methods = () if pytree.is_container(value) else ("__str__", "__format__")
    return any(_own_method(type(value), name) is not None for name in methods)  # only the method can tell
