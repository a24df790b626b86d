"""A count of the assertions of a test: one that passes having made another number of them has taken another path."""

from __future__ import annotations

import contextlib
import functools
import types
import unittest

from .conversions import unseen


class Assertions:
    """The assertions made so far. own: marks functions of these tests."""

    def __init__(self, own):
        self.made, self._depth, self._own = 0, 0, own

    def watch(self):
        for name in dir(unittest.TestCase):
            method = getattr(unittest.TestCase, name)
            if name.startswith("assert") and isinstance(method, types.FunctionType):
                setattr(unittest.TestCase, name, self._counted(method))

    def _counted(self, method):
        """Only calls from outside of unittest count."""

        @functools.wraps(method)
        @self._own
        def counted(*args, **kwargs):
            self.made += not self._depth
            self._depth += 1
            try:
                return method(*args, **kwargs)
            finally:
                self._depth -= 1

        return counted

    def forget_earlier_stagings(self):
        """Where a function is staged again, only the last staging counts."""
        from dy2st.errors import Dy2stError
        from dy2st.runtime.control.settle import UNSTABLE
        from dy2st.runtime.heap.markers import Restage
        from dy2st.runtime.stage import stage

        once = stage._stage_once

        @unseen
        def stage_once(*args):
            before = self.made
            try:
                found = once(*args)
            except (Restage, Dy2stError):  # after a refusal, it may be staged for one call
                self.made = before
                raise
            if found is UNSTABLE:
                self.made = before
            return found

        stage._stage_once = stage_once


def plain_subtests(own):
    """A subtest that fails ends its test: unittest's own would catch what dy2st raises to stage a function again."""

    @own
    def subTest(self, *args, **kwargs):
        return contextlib.nullcontext()

    unittest.TestCase.subTest = subTest
