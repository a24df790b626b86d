"""Hostile operands and attributes end in a result or an error, whoever calls: two calls of each operator.

`python tests/ops/hostile` makes all of them.
"""

from ops.hostile.watched import watched
from ops.hostile.ways import WAYS


def test_hostile_calls_do_no_harm():
    report = watched(2, 7, [], list(WAYS))
    assert not report.faults, str(report)
    assert report.calls > 500
