"""A module of the user's that has the name of one of Python's is the user's."""

import importlib
import sys

import pytest

import dy2st as paddle

TEXT = """
class Scale:
    @property
    def factor(self):
        if self.by > 1:
            return self.by * 2
        return self.by

    def __init__(self, by):
        self.by = by


class Items(list):
    def total(self):
        result = 0
        for item in self:
            result = result + item
        return result


def positive(x):
    if x.sum() > 0:
        return x * 2
    return -x
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    name = next(name for name in ("this", "antigravity", "nturl2path") if name not in sys.modules)
    (tmp_path / f"{name}.py").write_text(TEXT)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module(name)
    del sys.modules[name]


def test_its_functions_and_classes_are_converted(own):
    def function(x):
        scale, items = own.Scale(x.sum()), own.Items([x])
        items.append(x)
        return own.positive(x) * scale.factor, items.total()

    static = paddle.jit.to_static(function)
    for value in (1.0, 3.0, -2.0):
        x = paddle.to_tensor([value])
        assert [part.tolist() for part in static(x)] == [part.tolist() for part in function(x)]
