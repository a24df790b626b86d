"""What became of the functions of swapped modules: a phase in which little was rewritten proves little."""

from __future__ import annotations

import collections
import inspect
import types

from dy2st.errors import Dy2stError
from dy2st.jit.dy2static.program_translator import convert_to_static
from dy2st.python_library import LIBRARY
from dy2st.runtime import convert
from dy2st.runtime.control import reentry
from dy2st.runtime.convert.calls import calls
from dy2st.runtime.where.user_code import PACKAGE

from .swap import PREFIX


def unseen(function):
    """A function of these tests that dy2st takes for its own: the user's are watched while staging, and named in messages."""
    function.__code__ = function.__code__.replace(co_filename=f"{PACKAGE}/measure")
    return function


def of_library(function):
    """A function of these tests that dy2st takes for one of Python's library, as what it stands in for is."""
    function.__code__ = function.__code__.replace(co_filename=f"{LIBRARY}/measure")
    return function


def name_of(function) -> str:
    return f"{(function.__module__ or '').removeprefix(PREFIX)}.{function.__qualname__}"


class Conversions:
    """Functions that were rewritten, or refused, and how often rewritten code called `_jst`."""

    def __init__(self):
        self.converted, self.generators, self.refused = set(), set(), {}
        self.calls = collections.Counter()
        self.entered = collections.Counter()

    def figures(self) -> dict:
        return {
            "converted": len(self.converted),
            "generators": len(self.generators),
            "refused": self.refused,
            "jst_calls": sum(self.calls.values()),
            "entered": sum(self.entered.values()),
        }

    def rewritten(self, function):
        """The hook of the phases without staging: dy2st's one way to rewrite a function.

        A generator function is rewritten only while staging, where it takes a consumer: nobody can call that one outside.
        """
        if not isinstance(function, types.FunctionType):
            return function
        if function.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR):
            self.generators.add(function.__code__)
            return function
        try:
            made = convert_to_static(function)
        except Dy2stError as error:
            self.refused[name_of(function)] = f"{type(error).__name__}: {error}"
            return function
        except Exception as error:
            self.refused[name_of(function)] = f"CRASH {type(error).__name__}: {error}"
            return function
        self.converted.add(function.__code__)
        return made

    def count_calls(self):
        """Count the calls of `_jst` from now on, which takes as long as most of them do."""
        for name, inner in list(vars(convert).items()):
            if isinstance(inner, types.FunctionType) and name != "raise_":  # a bare raise looks at the frames around it
                setattr(convert, name, self._counted(name, inner))

    def _counted(self, name, inner):
        counts = self.calls

        @unseen
        def counted(*args, **kwargs):
            counts[name] += 1
            return inner(*args, **kwargs)

        return counted

    def watch_staging(self):
        """Note the functions that staging rewrites and enters from now on."""
        convert_, enter = calls.converted_function, reentry.enter

        @unseen
        def converted_function(function, *args, **kwargs):
            try:
                found = convert_(function, *args, **kwargs)
            except Dy2stError as error:
                self.refused[name_of(function)] = f"{type(error).__name__}: {error}"
                raise
            if (function.__module__ or "").startswith(PREFIX):
                self.converted.add(function.__code__)
            return found

        @unseen
        def entering(rec, called, *args):
            if (getattr(called, "__module__", "") or "").startswith(PREFIX):
                self.entered[called.__qualname__] += 1
            return enter(rec, called, *args)

        calls.converted_function, reentry.enter = converted_function, entering
