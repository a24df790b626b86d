"""Pipelines: data that can be printed, checks between passes, and the debugging output."""

import pytest
from passes.rewrites import parsed

from dy2st import passes
from dy2st.errors import VerifyError
from dy2st.passes import base
from dy2st.passes.base import NO_MUTATIONS, Pass, PassError, Pipeline

TEXT = """
    def main(%x: float32[3]) -> float32[3]:
      %0 = neg %x : float32[3]
      %1 = tanh %x : float32[3]
      return %1"""


def test_a_pipeline_is_a_named_tuple_of_passes():
    pipeline = Pipeline.of("mine", "dead_code", "conv_batch_norm")
    name, members = pipeline
    assert name == "mine" and [p.name for p in members] == ["dead_code", "conv_batch_norm"]
    assert str(pipeline) == ("mine:\n  1. dead_code (exact)\n  2. conv_batch_norm (not bit-identical; needs loaded parameters)")
    assert all(p.exact for p in (*passes.EXACT.passes, *passes.DEFAULT.passes))


def test_a_pass_that_does_not_exist():
    with pytest.raises(PassError, match="there is no pass 'magic'; the passes are constants, .*subexpressions"):
        passes.run(parsed(TEXT), "magic")


def test_each_pass_has_its_own_module_with_a_picture_and_a_docstring():
    import importlib

    for name, pass_ in passes.PASSES.items():
        module = importlib.import_module(f"dy2st.passes.{name}")
        assert "->" in module.__doc__ and "1. " in module.__doc__ and pass_.run.__doc__


def test_a_pass_that_breaks_the_program_is_found_out(monkeypatch):
    def break_it(program):
        program.entry.block.ops.pop(1)
        return True

    pipeline = Pipeline("broken", (Pass("break_it", break_it),))
    with pytest.raises(VerifyError):
        pipeline.run(parsed(TEXT))


def test_needs_are_checked():
    pipeline = Pipeline("pure", (Pass("pure", lambda program: False, (NO_MUTATIONS,)),))
    pipeline.run(parsed(TEXT))
    with pytest.raises(PassError, match=r"pure needs no mutations: neg_ writes in place \(net.py:4\)"):
        pipeline.run(parsed(TEXT.replace("%0 = neg %x : float32[3]", "neg_ %x  # net.py:4")))


def test_debugging_prints_what_each_pass_has_made(monkeypatch, capsys):
    monkeypatch.setenv("DY2ST_DEBUG", "1")
    passes.run(parsed(TEXT), "subexpressions", "dead_code")
    assert capsys.readouterr().err == (
        "# after dead_code\ndef main(%x: float32[3]) -> float32[3]:\n  %0 = tanh %x : float32[3]\n  return %0\n\n"
    )


def test_all_passes_by_default():
    program = parsed(TEXT)
    assert passes.run(program) is program
    assert [op.name for op in program.walk()] == ["tanh", "return"]
    assert {*base.PASSES} >= {p.name for p in passes.EXACT.passes}
