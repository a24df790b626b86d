"""The data of a picture: every operation is in it once, every edge has both ends, conditions read as the user wrote them."""

from __future__ import annotations

import json
import random
import re

import numpy as np
import pytest
from engine.random_programs import Generator
from support.sampling import sampled
from viewer.models import static_net, thousand

import dy2st as paddle
from dy2st import jit
from dy2st import traced_module as tm
from dy2st.ir.builder import Builder
from dy2st.ir.core import Loc
from dy2st.ir.summary import is_step
from dy2st.static import InputSpec
from dy2st.viewer.grouping import MANY
from dy2st.viewer.picture import LONGEST
from dy2st.viewer.program import program_picture


def page_data(text):
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found)


def steps_of(graphs):
    return [step for graph in graphs for step in graph["steps"]]


def check_edges(graphs, number=0, around=frozenset()):
    """Each name that is read is given before, in the graph or in one around it; what a room reads of these, it says."""
    graph = graphs[number]
    outside = {value["name"] for value in graph["outside"]}
    assert outside <= around
    known = outside | {value["name"] for value in graph["inputs"]}
    for step in graph["steps"]:
        assert set(step["ins"]) <= known, step
        for _, part in step["parts"]:
            room = {value["name"] for value in graphs[part]["outside"]}
            assert room <= set(step["ins"])
            check_edges(graphs, part, known if room else frozenset())
        known |= {value["name"] for value in step["outs"]}
    assert set(graph["results"]) <= known


def in_order(graphs, number=0):
    """The operators in a graph and in its rooms, but for the Functions that it calls, one after another."""
    found = []
    for step in graphs[number]["steps"]:
        found += [step["text"].split(" = ")[-1].split(" ")[0]] if step["kind"] != "group" else []
        for _, part in step["parts"] if step["kind"] != "layer" else ():
            found += in_order(graphs, part)
    return found


@pytest.mark.long
@pytest.mark.parametrize("seed", sampled(range(2000), 60))
def test_each_operation_of_a_random_program_is_there_once_and_in_order(seed):
    choices = random.Random(seed)
    program = Generator(choices).program()
    layers = ["", "a", "a.0", "a.0.b", "a.1", "c"]
    for op in program.walk():
        if choices.random() < 0.5:
            op.path = choices.choice(layers)
        op.loc = Loc("net.py", choices.randint(1, 9), "f", 0, Loc("net.py", choices.randint(1, 3), "main"))
    picture = program_picture(program, "main")
    graphs = picture.graphs
    check_edges(graphs)
    tops = {step["title"]: step["parts"][0][1] for step in steps_of(graphs) if step["kind"] == "layer"}
    assert tops.keys() | {"main"} == program.functions.keys()
    for name, function in program.functions.items():
        assert in_order(graphs, tops.get(name, 0)) == [op.name for op in function.block.walk() if is_step(op)]
    assert all(len(graph["steps"]) <= MANY for graph in graphs)
    json.dumps(picture.data())


def test_a_large_graph_opens_on_boxes_of_lines():
    graphs = program_picture(thousand(), "main").graphs
    check_edges(graphs)
    assert len(in_order(graphs)) == 1000 and len(graphs[0]["steps"]) <= MANY
    first = graphs[0]["steps"][0]
    assert (first["title"], first["note"], first["kind"]) == ("lines 3–9", "net.py", "group")


def test_a_box_of_one_line_is_called_by_it():
    program = thousand()
    for op in program.walk():
        op.loc = Loc("net.py", 7, "main")
    graphs = program_picture(program, "main").graphs
    assert {(step["title"], step["note"]) for step in graphs[0]["steps"]} == {("line 7", "net.py")}


def test_a_very_large_graph_has_boxes_in_boxes():
    graphs = program_picture(thousand(5000), "main").graphs
    check_edges(graphs)
    assert len(in_order(graphs)) == 20_000 and all(len(graph["steps"]) <= MANY for graph in graphs)


def test_layers_are_boxes():
    static = static_net()
    graphs = program_picture(static.forward.main_program, "Net").graphs
    check_edges(graphs)
    assert [step["title"] for step in graphs[0]["steps"]][:3] == ["blocks", "while", "head"]
    blocks = graphs[graphs[0]["steps"][0]["parts"][0][1]]
    assert [(step["title"], step["at"]) for step in blocks["steps"]] == [("blocks.0", "blocks.0"), ("blocks.1", "blocks.1")]


def test_functions_that_are_called_are_boxes_where_there_are_many_steps(tmp_path):
    def helper(x, w):
        z = x @ w
        return paddle.tanh(z) + x

    def many(x):
        x = helper(x, x + 0) * 2  # one call a line, as people write them
        x = helper(x, x + 1) * 2
        x = helper(x, x + 2) * 2
        x = helper(x, x + 3) * 2
        x = helper(x, x + 4) * 2
        x = helper(x, x + 5) * 2
        x = helper(x, x + 6) * 2
        x = helper(x, x + 7) * 2
        return helper(x, x + 8)

    static = jit.to_static(many, input_spec=[InputSpec([4, 4], "float32", "x")])
    graphs = page_data(static.to_html())["graphs"]
    calls = [step for step in graphs[0]["steps"] if step["kind"] == "group"]
    assert [step["title"] for step in calls[1:-1]] == [f"x = helper(x, x + {k}) * 2" for k in range(1, 8)]
    assert calls[-1]["title"] == "return helper(x, x + 8)"
    assert all(re.fullmatch(r"test_pictures\.py:\d+", step["note"]) for step in calls)
    check_edges(graphs)
    jit.save(static, str(tmp_path / "net"))
    saved = page_data(jit.load(str(tmp_path / "net")).to_html())["graphs"]
    assert [step["title"] for step in saved[0]["steps"] if step["kind"] == "group"] == ["helper"] * 9


# --- conditions ---------------------------------------------------------------------------------------------------------


def asks(x, n):
    if not (x.sum() > 0 or x.max() < 3):
        x = x + 1
    elif 0 < x.mean() < 5 and n > 2:
        x = x - 1
    for i in range(n):
        if i > 2:
            break
        x = x * 2
    while x.sum() < 100:
        x = x + 1
    return x


LIVE = {
    "if not (x.sum() > 0 or x.max() < 3)", "if x.sum() > 0", "if mean(x) > 0", "if mean(x) > 0 and mean(x) < 5",
    "if mean(x) > 0 and mean(x) < 5 and n > 2", "for i in range(n)", "if not break_0", "if i > 2", "while x.sum() < 100",
}  # fmt: skip
SAVED = {
    "if not (sum(x) > 0 or max(x) < 3)", "if sum(x) > 0", "if mean(x) > 0", "if mean(x) > 0 and mean(x) < 5",
    "if mean(x) > 0 and mean(x) < 5 and n > 2", "while not break_0 and position < item(n)", "if not break_0", "if position > 2",
    "while sum(x) < 100",
}  # fmt: skip


def conditions(text):
    return {step["condition"] for step in steps_of(page_data(text)["graphs"]) if "condition" in step}


def test_an_if_and_a_while_say_what_they_ask(tmp_path):
    static = jit.to_static(asks, input_spec=[InputSpec([None, 4], "float32", "x"), InputSpec([], "int64", "n")])
    live = conditions(static.to_html())
    assert {text for text in live if "0 <" not in text} <= LIVE and "while x.sum() < 100" in live
    jit.save(static, str(tmp_path / "net"))
    assert conditions(jit.load(str(tmp_path / "net")).to_html()) == SAVED


def test_a_condition_of_several_parts_is_not_taken_for_the_whole():
    def f(x):
        if x.sum() > 0 and x.max() > 1:
            return x
        return -x

    static = jit.to_static(f, input_spec=[InputSpec([2], "float32", "x")])
    asked = [step for step in steps_of(page_data(static.to_html())["graphs"]) if "condition" in step]
    assert [step["condition"] for step in asked] == ["if x.sum() > 0", "if x.sum() > 0 and x.max() > 1"]


# --- what is in a page, and what isn't -----------------------------------------------------------------------------------


def test_values_have_shapes_and_parameters_are_told_by_their_readers(tmp_path):
    graphs = page_data(static_net().forward.to_html())["graphs"]
    assert graphs[0]["inputs"] == [{"name": "x", "shape": "? × 4", "dtype": "float32"}]
    product = next(step for step in steps_of(graphs) if step["title"] == "matmul" and step["at"] == "head")
    assert product["parameters"] == [{"name": "head.weight", "shape": "4 × 2", "dtype": "float32"}]
    compared = next(step for step in steps_of(graphs) if step["title"] == "greater_than")
    assert compared["note"] == "0" and "net.py" not in compared["loc"] and compared["source"] == "if x.mean() > 0:  # calm"


def test_no_weights_are_in_a_page():
    weight = np.arange(10_000, dtype=np.float32) + 1234567

    def f(x):
        return x * paddle.to_tensor(weight)

    static = jit.to_static(f, input_spec=[InputSpec([10_000], "float32", "x")])
    text = static.to_html()
    assert "123456" not in text and len(json.dumps(page_data(text))) < 3000


def test_long_texts_are_cut():
    def f(x):
        return x, "long " * 10_000

    static = jit.to_static(f, input_spec=[InputSpec([1], "float32", "x")])
    data = page_data(static.to_html())
    assert max(len(step["text"]) for step in steps_of(data["graphs"])) <= LONGEST + 1 and len(json.dumps(data)) < 20_000


def test_each_method_of_a_saved_model_is_a_box(tmp_path):
    class Coder(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.linear = paddle.nn.Linear(3, 3)

        def forward(self, x):
            return self.linear(x)

        @jit.to_static(input_spec=[InputSpec([3], "float32", "z")])
        def decode(self, z):
            return z - self.linear.bias

    jit.save(jit.to_static(Coder(), input_spec=[InputSpec([2, 3], "float32", "x")]), str(tmp_path / "net"))
    loaded = jit.load(str(tmp_path / "net"))
    graphs = page_data(loaded.to_html())["graphs"]
    assert {step["title"] for step in graphs[0]["steps"]} == {"forward", "decode"}
    assert "decode(z: float32[3]) -> float32[3]" in repr(loaded)


def wide(count):
    """A condition in one line, of operators with many operands, each made of many."""
    b = Builder()
    with b.function("main", x="bool") as (x,):
        for _ in range(12):
            x = b.op("py.and", *[x] * count, types="bool")
        b.return_(b.if_(x, lambda: x, lambda: x))
    return b.program


def deep(count):
    """Two operations in a layer that lies very deep."""
    b = Builder()
    b.path = ".".join("abc"[k % 3] for k in range(count))
    with b.function("main", x="float32[2]") as (x,):
        b.return_(b.op("relu", b.op("relu", x, types="float32[2]"), types="float32[2]"))
    return b.program


@pytest.mark.parametrize("program", [wide(500), deep(5000)], ids=["wide", "deep"])
def test_a_page_of_what_no_person_writes_is_made_and_stays_small(program):
    assert len(program.to_html()) < 200_000


def test_recursion_ends():
    def count(x, n):
        if n > 0:
            return count(x + 1, n - 1)
        return x

    static = jit.to_static(count, input_spec=[InputSpec([2], "float32", "x"), InputSpec([], "int64", "n")])
    assert len(page_data(static.to_html())["graphs"]) < 20


def test_a_traced_module_with_several_graphs_shows_each():
    module = tm.trace_module(static_net(), paddle.ones([1, 4]))
    assert [graph["name"] for graph in page_data(module.to_html())["graphs"]][0] == "Net"
    check_edges(page_data(module.to_html())["graphs"])
