"""Hostile operands and attributes end in a result or an error, whoever calls: a few of each operator.

`python tests/ops/hostile` makes all the calls.
"""

from ops.hostile.watched import watched


def test_hostile_calls_do_no_harm():
    report = watched(3, 7, [], ["kernel", "eager", "program", "ref"])
    assert not report.faults, report
    assert report.calls > 700


def test_edited_files_of_traced_modules_do_no_harm():
    report = watched(1, 7, [], ["traced"])
    assert not report.faults, report
    assert report.calls > 100
