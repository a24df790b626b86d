"""Objects that code which isn't converted makes anew at each staging, stored outside and changed: right, or refused in words."""

from __future__ import annotations

import itertools
import time
import types
import warnings

import numpy as np
import pytest
from support.sampling import sampled

import dy2st
from dy2st.errors import ConversionError, InternalError, StagedValueError

_SOURCE = """
class Box:
    def __init__(self):
        self.n, self.items, self.sub = 0, [], None

def make():
    box = Box()
    box.sub = Box()
    return box
"""
library = types.ModuleType("library")
exec(compile(_SOURCE, "<no file>", "exec"), vars(library))
make = library.make
kept = types.SimpleNamespace()
table: dict = {}
held = None


def on_an_object():
    kept.box = make()
    return kept.box


def in_a_dict():
    table["box"] = make()
    return table["box"]


def in_a_global():
    global held
    held = make()
    return held


CHANGES = {
    "attribute": lambda box, x: setattr(box, "n", x.sum()),
    "list": lambda box, x: box.items.append(1),
    "attribute of a part": lambda box, x: setattr(box.sub, "n", x.sum()),
    "list of a part": lambda box, x: box.sub.items.append(x),
}


def raises_on_a_path(x):
    if x.sum() > 0:
        raise ValueError("too much")
    return x


def raises(x):
    raise ValueError("always")


def raises_at_an_index(x):
    return x[x.sum().astype("int64")]


def outcome(function, x):
    try:
        return np.asarray(function(x).numpy()).tolist()
    except (ConversionError, StagedValueError):
        return "refused"
    except InternalError:
        raise
    except Exception as error:
        return type(error).__name__


STORES, ENDS = [on_an_object, in_a_dict, in_a_global], [raises_on_a_path, raises, raises_at_an_index]


@pytest.mark.long
@pytest.mark.parametrize("store, change, end", sampled(list(itertools.product(STORES, CHANGES, ENDS)), 8))
def test_right_or_refused_in_words_and_soon(store, change, end) -> None:
    def function(x, changed=CHANGES[change]):
        box = store()
        changed(box, x)
        return end(x)

    for numbers in [-1.0, 0.5], [1.0, 2.0, 3.0]:
        start = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = outcome(dy2st.jit.to_static(function), dy2st.to_tensor(numbers))
        assert found in ("refused", outcome(function, dy2st.to_tensor(numbers)))
        assert time.perf_counter() - start < 20  # it was minutes
