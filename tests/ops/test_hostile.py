"""Hostile operands and attributes end in a result or an error, whoever calls: one call of each operator.

`python tests/ops/hostile` makes many more.
"""

from ops.hostile.watched import watched
from ops.hostile.ways import WAYS


def test_hostile_calls_do_no_harm():
    report = watched(1, 3, [], list(WAYS))
    assert not report.faults, str(report)
    assert report.calls > 250
