"""What was converted is let go of once nobody uses it any more."""

from __future__ import annotations

import gc
import weakref

from dy2st import jit
from dy2st.static import InputSpec


def made():
    def halve(x, times):
        """Refers to itself, so that whatever keeps its variables keeps it."""
        while x.sum() > 1 and times > 0:
            x, times = x / 2, times - 1
        return x if times == 0 else halve(x, times - 1)

    return halve


def test_a_converted_function():
    function = made()
    static = jit.to_static(function, input_spec=[InputSpec([2], "float32"), 2])
    assert static.concrete_program.program.entry.result_types
    gone = weakref.ref(function)
    del function, static
    gc.collect()
    assert gone() is None
