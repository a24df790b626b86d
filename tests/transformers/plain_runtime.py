"""A `_jst` with plain Python's semantics: rewritten code run on it must do exactly what the user's code does."""

import operator as pythons

from support.answers import Raised

from dy2st.runtime.convert import (
    dictcomp,
    format,
    genexp,
    is_instance,
    is_mapping,
    is_sequence,
    items_beside,
    items_between,
    listcomp,
    percent,
    positional,
    setcomp,
    unpack,
)
from dy2st.transformers import transpile

OPERATORS = {"<": pythons.lt, "<=": pythons.le, ">": pythons.gt, ">=": pythons.ge, "==": pythons.eq,
             "!=": pythons.ne, "is": pythons.is_, "is not": pythons.is_not,
             "in": lambda a, b: a in b, "not in": lambda a, b: a not in b}
INPLACE = {"+=": pythons.iadd, "-=": pythons.isub, "*=": pythons.imul,
           "|=": pythons.ior, "&=": pythons.iand, "^=": pythons.ixor}


class Unbound:
    def __init__(self, name):
        self.name = name


class Signal(BaseException):
    """Never raised here."""


class NoValue:
    """Any use of it is a mistake of the transformers."""

    def __bool__(self):
        raise AssertionError("no_value was read")

    __call__ = __getattr__ = __iter__ = __add__ = __radd__ = __bool__


class Iterator:
    def __init__(self, values):
        self.values = iter(values)

    def more(self, unless=False):
        if unless:
            return False
        try:
            self.item = next(self.values)
        except StopIteration:
            return False
        return True

    def next(self):
        return self.item

    def __iter__(self):
        return self.values


def unchanged(*values):
    return values[0] if len(values) == 1 else values or None


def as_tuple(result, values):
    return (result,) if len(values) == 1 else result or ()


class Manager:
    def __init__(self, manager):
        self.manager, self.value = manager, type(manager).__enter__(manager)

    def run(self, body, values):
        leave = type(self.manager).__exit__
        try:
            result = body(*values)
        except BaseException as error:
            if not leave(self.manager, type(error), error, error.__traceback__):
                raise
            return values[0] if len(values) == 1 else values
        leave(self.manager, None, None, None)
        return result


class PlainRuntime:
    """One static method for each name that rewritten code uses."""

    RECORDERS = True      # so that functions run their rewritten bodies
    Unbound, Signal, no_value = Unbound, Signal, NoValue()

    @staticmethod
    def convert_ifelse(condition, true_fn, false_fn, values=()):
        assert isinstance(values, tuple)
        return ((true_fn if condition else false_fn) or unchanged)(*values)

    @staticmethod
    def convert_while_loop(condition, body, values, iterator=None):
        condition = condition or (lambda *values: iterator.more())
        while condition(*values):
            result = body(*values)
            values = [result] if len(values) == 1 else list(result or ())
        return values[0] if len(values) == 1 else values

    iter = Iterator

    @staticmethod
    def and_(first, *rest):
        for value in rest:
            first = first and value()
        return first

    @staticmethod
    def or_(first, *rest):
        for value in rest:
            first = first or value()
        return first

    not_ = staticmethod(pythons.not_)

    @staticmethod
    def compare(left, *links):
        for symbol, value in zip(links[::2], links[1::2]):
            right = value()
            result = OPERATORS[symbol](left, right)
            if not result:
                return result
            left = right
        return result

    @staticmethod
    def operator(symbol, left, right):
        return {"-": pythons.sub, "|": pythons.or_, "&": pythons.and_, "^": pythons.xor}[symbol](left, right)

    @staticmethod
    def star(values):
        return values

    keywords = star_call = star
    set, dict = set, dict

    @staticmethod
    def merge(*dicts):
        return {key: value for part in dicts for key, value in dict(part).items()}

    eq, ne = staticmethod(pythons.eq), staticmethod(pythons.ne)
    is_, is_not = staticmethod(pythons.is_), staticmethod(pythons.is_not)

    @staticmethod
    def in_(item, container):
        return item in container

    @staticmethod
    def not_in(item, container):
        return item not in container

    @staticmethod
    def ifexp(condition, body, orelse):
        return body() if condition else orelse()

    @staticmethod
    def assert_(condition, message=None):
        if not condition:
            raise AssertionError(message()) if message else AssertionError

    @staticmethod
    def raise_(*parts):
        if not parts:
            raise
        error, *cause = parts
        if cause:
            raise error from cause[0]
        raise error

    @staticmethod
    def try_(body, values, handlers, orelse=None, final=None):
        assert isinstance(values, tuple)

        def run():
            try:
                result = body(*values)
            except BaseException as error:
                for kinds, handler in handlers:
                    if isinstance(error, kinds()):
                        return handler(error, *values) if handler else unchanged(*values)
                raise
            return result if orelse is None else orelse(*as_tuple(result, values))

        if final is None:
            return run()
        try:
            result = run()
        except BaseException:
            final(*values)
            raise
        return final(*as_tuple(result, values))

    with_ = Manager

    @staticmethod
    def call(function):
        return function

    @staticmethod
    def augmented(symbol, target, operand):
        return INPLACE[symbol](target, operand)

    listcomp, setcomp, dictcomp, genexp = map(
        staticmethod, (listcomp, setcomp, dictcomp, genexp))
    unpack, format, percent = map(staticmethod, (unpack, format, percent))
    is_sequence, is_mapping, is_instance = map(staticmethod, (is_sequence, is_mapping, is_instance))
    items_between, items_beside, positional = map(staticmethod, (items_between, items_beside, positional))

    @staticmethod
    def at(value, *path):
        for index in path:
            value = value[index]
        return value

    inplace = at

    @staticmethod
    def new(value):
        return value

    @staticmethod
    def numbers_of(value):
        return value.numpy()

    @staticmethod
    def number_of(value, index):
        return value.numpy()[index]

    @staticmethod
    def bound(value, name, free=False):
        if isinstance(value, Unbound):
            raise (NameError if free else UnboundLocalError)(f"{name} is unbound")
        assert value is not PlainRuntime.no_value
        return value


class OutsideRuntime(PlainRuntime):
    """Nothing is staged: functions run their plain bodies."""

    RECORDERS = False


def converted(function, outside=False):
    """The rewritten function, running on plain Python values; outside: with its plain body."""
    return transpile(function, outside=outside).instantiate(function, OutsideRuntime if outside else PlainRuntime)


def outcome(function, *args, **kwargs):
    """What a call gives: its value, or its exception."""
    try:
        return function(*args, **kwargs)
    except NameError as error:  # its text differs from Python to Python
        return Raised(type(error).__name__, "")
    except AssertionError as error:      # pytest adds to the message
        return Raised("AssertionError", str(error).partition("\n")[0])
    except Exception as error:
        return Raised(type(error).__name__, str(error))
