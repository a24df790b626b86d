"""What a Program, a static function, a loaded model and a traced module say of themselves, at a prompt and in a notebook."""

from __future__ import annotations

import html
import re

import pytest
from viewer.models import static_net

import dy2st as paddle
from dy2st import jit
from dy2st import traced_module as tm
from dy2st.ir.core import Program
from dy2st.static import InputSpec

COUNTS = "30 operations, 10 parameters (66 elements)"
SIGNATURE = "(x: float32[?,4]) -> dict<str, sum<float32[?,2] | int64[]>>"


def test_a_static_function_without_a_program_says_how_to_get_one_and_stages_none():
    static = static_net().forward
    assert repr(static) == "<StaticFunction Net.forward: no Program yet; read concrete_program, or call it with tensors>"
    assert static._repr_html_() is None and static.program_cache == []
    bare = jit.to_static(lambda x: x + 1)
    assert repr(bare).endswith("<lambda>: no Program yet; call it with tensors>") and bare._repr_html_() is None
    with pytest.raises(ValueError, match="has no Program yet"):
        bare.to_html()


def test_a_repr_tells_inputs_outputs_operations_and_parameters(tmp_path):
    static = static_net()
    concrete = static.forward.concrete_program
    assert repr(static.forward) == f"<StaticFunction Net.forward{SIGNATURE}: {COUNTS}>"
    assert repr(concrete) == f"<ConcreteProgram main{SIGNATURE}: {COUNTS}>"
    assert repr(concrete.main_program) == f"<Program main{SIGNATURE}: {COUNTS}>"
    jit.save(static, str(tmp_path / "net"))
    loaded = jit.load(str(tmp_path / "net"))
    assert repr(loaded) == f"<TranslatedLayer Net: forward{SIGNATURE}: {COUNTS}>"
    traced = tm.trace_module(static_net(), paddle.ones([1, 4]))
    assert re.fullmatch(r"<TracedModule Net\(x: float32\[1,4\]\) -> .*: \d+ steps, 10 parameters \(66 elements\)>", repr(traced))
    assert repr(Program()) == "<Program empty>"


def test_several_programs_are_counted():
    static = jit.to_static(lambda x: x * 2)
    static(paddle.ones([2]))
    static(paddle.ones([3]))
    assert repr(static).endswith("(x: float32[3]) -> float32[3]: 1 operation, 0 parameters; the last of 2 Programs>")


def test_a_long_type_is_cut():
    static = jit.to_static(lambda x: {f"key number {k}": [x] for k in range(99)}, input_spec=[InputSpec([2], "float32", "x")])
    assert len(repr(static.concrete_program)) < 400


def test_a_notebook_shows_the_page_in_a_frame_that_may_only_draw(tmp_path):
    static = static_net()
    program = static.forward.concrete_program
    jit.save(static, str(tmp_path / "net"))
    for shown in (static.forward, program, program.main_program, jit.load(str(tmp_path / "net")),
                  tm.trace_module(static_net(), paddle.ones([1, 4]))):  # fmt: skip
        frame = shown._repr_html_()
        (attributes, page) = re.fullmatch(r'<iframe (sandbox="allow-scripts" [^>]*?) srcdoc="([^"]*)"></iframe>', frame).groups()
        assert html.unescape(page) == shown.to_html() and "<" not in attributes + page


def test_a_page_is_written_whole(tmp_path):
    static = static_net().forward
    text = static.to_html(tmp_path / "net.html")
    assert (tmp_path / "net.html").read_text(encoding="utf-8") == text == static.main_program.to_html().replace(
        "<title>main</title>", "<title>Net.forward</title>"
    ).replace("<h1>main</h1>", "<h1>Net.forward</h1>").replace('"title": "main", "about"', '"title": "Net.forward", "about"')


class Doubled(paddle.nn.Layer):
    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        return x * 2


@pytest.mark.parametrize("make", [jit.script, lambda layer: jit.trace(layer, paddle.ones([2]))], ids=["script", "trace"])
def test_a_compiled_module_has_the_page_of_its_forward(make, tmp_path):
    made = make(Doubled())
    made(paddle.ones([2]))
    assert made.to_html(tmp_path / "page.html") == (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "multiply" in made.to_html() and made._repr_html_().startswith("<iframe")
