"""Loads of what may be a property go through the runtime; others stay."""

from __future__ import annotations

from functools import cached_property

from dy2st.transformers import transpile


class Model:
    @property
    def rate(self):
        return 1

    @cached_property
    def table(self):
        return {}

    def run(self):
        return self.rate, self.table, self.size


def other(model):
    return model.rate + model.shape


def test_loads_of_properties():
    assert "return _jst.at(self).rate, _jst.at(self).table, self.size" in transpile(Model.run).source
    assert "return _jst.at(model).rate + model.shape" in transpile(other).source
