"""What passes on Programs and on traced modules share, on plain names."""

import numpy as np

from dy2st.ir.groups import Groups
from dy2st.passes.normalisation import scale_and_shift, shift_behind
from dy2st.passes.uses import Uses


def test_the_only_user_reads_once_and_nothing_leaves():
    uses = Uses([("f", "a"), ("g", "abb"), ("h", "cd")], results="d")
    assert {value: uses.only_user(value) for value in "abcde"} == {"a": None, "b": None, "c": "h", "d": None, "e": None}
    assert uses.of("a") == ["f", "g"] and uses.of("b") == ["g", "g"] and uses.is_result("d") and not uses.is_result("a")


def test_groups_flow_together():
    groups = Groups()
    groups.merge("a", "b")
    groups.merge("c", "d", "e")
    assert groups.group("a") == groups.group("b") != groups.group("c") == groups.group("e")
    groups.merge("b", "e")
    assert len({groups.group(value) for value in "abcde"}) == 1 != groups.group("x")


def test_scale_and_shift_are_the_normalisation():
    rng = np.random.default_rng(0)
    x, mean, weight, bias, before = rng.normal(size=(5, 7, 3)).astype("float32")[:, :, 0]
    variance = rng.uniform(0.5, 2, size=7).astype("float32")
    for w, b, first in ((weight, bias, before), (None, None, None)):
        scale, shift = scale_and_shift(mean, variance, w, b, 1e-3)
        total = x if first is None else x + first
        expected = (total - mean) / np.sqrt(variance + 1e-3) * (1 if w is None else w) + (0 if b is None else b)
        np.testing.assert_allclose(x * scale + shift_behind(shift, scale, first), expected, rtol=1e-5, atol=1e-6)
