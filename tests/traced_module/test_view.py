"""What people look at: differences, Graphviz's text, the page."""

import copy
import json
import re

import pytest
from traced_module.branching import decoder, inputs
from traced_module.models import images, layer, resnet, tensor

import dy2st
import dy2st.nn.functional as F
from dy2st import jit, nn
from dy2st import traced_module as tm
from dy2st.static import InputSpec


@pytest.fixture
def module():
    return tm.trace_module(decoder(), next(inputs()))


def test_equal_graphs_have_no_difference(module):
    assert not module.graph.diff(copy.deepcopy(module).graph)
    assert not tm.trace_module(decoder(), next(inputs())).graph.diff(module.graph)


def test_a_difference_names_what_was_added_removed_and_changed(module):
    edited = copy.deepcopy(module)
    relu = edited.graph.get_function_by_type(F.relu).as_list()[0]
    inner = relu.top_graph
    with inner.insert_exprs(relu):
        new = F.relu6(relu.inputs[0]) + 1
    inner.replace_node({relu.outputs[0]: new})
    inner.compile()
    edited.last = nn.Linear(4, 3)
    found = module.graph.diff(edited.graph)
    assert [str(e).partition(": ")[2] for e in found.removed] == ["relu_out = activation.relu(first_out, )"]
    assert len(found.added) == 2 and found.added == [new.expr.inputs[0].expr, new.expr]
    assert [a.name for a, _ in found.changed] == ["last"]
    text = str(found)
    for line in ("Decoder, if_out, then:", "  - relu_out = activation.relu(first_out, )", "  ~ returns [relu_out] -> "):
        assert line in text
    assert "last: Linear(in_features=4, out_features=2) -> Linear(in_features=4, out_features=3)" in text
    back = edited.graph.diff(module.graph)
    assert (back.added, back.removed) == (found.removed, found.added)


def test_a_fused_network_differs_by_its_norms():
    traced = tm.trace_module(resnet(), images())
    found = traced.flatten().graph.diff(tm.optimize(traced.flatten()).graph)
    assert len(found.removed) == 2 * 20 and not found.added  # each norm was fetched and called
    assert all("bn" in str(e) or "downsample" in str(e) for e in found.removed)


def test_other_constants_and_shapes_are_changes():
    weight = {"w": dy2st.ones([2])}

    def forward(self, x):
        return (x * weight["w"]).sum()

    made = [tm.trace_module(layer(forward), tensor(n, 2)) for n in (2, 3)]
    weight["w"] = dy2st.zeros([2])
    made.append(tm.trace_module(layer(forward), tensor(2, 2)))
    assert "float32[2, 2] -> float32[3, 2]" in str(made[0].graph.diff(made[1].graph))
    assert "holds other values" in str(made[0].graph.diff(made[2].graph))


def boxes_and_edges(text):
    boxes = dict(re.findall(r"^ *(n\d+) \[label=\"((?:[^\"\\]|\\.)*)\"", text, re.M))
    return boxes, re.findall(r"^  (n\d+) -> (n\d+)", text, re.M)


def test_graphviz_text_has_a_box_for_each_step_and_an_edge_for_each_value_read(module):
    for graph in (module.graph, tm.trace_module(resnet(), images()).graph):
        text = graph.to_dot()
        boxes, edges = boxes_and_edges(text)
        assert text.count("{") == text.count("}") and text.startswith(f'digraph "{graph.name}"')
        assert {end for edge in edges for end in edge} <= set(boxes)
        calls = [e for e in graph.exprs() if isinstance(e, tm.CallMethod | tm.CallFunction | tm.If | tm.While)]
        assert len(boxes) > len(calls)


def test_graphviz_text_follows_the_data():
    def forward(self, x):
        y = self.fc(x)
        if y.sum() > 0:
            return F.relu(y)
        return x

    boxes, edges = boxes_and_edges(tm.trace_module(layer(forward, fc=nn.Linear(2, 2)), dy2st.ones([3, 2])).graph.to_dot())
    named = {(boxes[a].split("\\n")[0], boxes[b].split("\\n")[0]) for a, b in edges}
    assert {("x", "Linear"), ("Linear", "sum"), ("sum", "gt"), ("py.truth", "if"), ("Linear", "relu"), ("if", "return")} <= named
    assert any(label == "Linear\\nfc\\n3 × 2 float32" for label in boxes.values())


def page_data(text):
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found)


def test_the_page_needs_no_network_and_shows_everything(module, tmp_path):
    text = module.graph.to_html(tmp_path / "net.html")
    assert (tmp_path / "net.html").read_text(encoding="utf-8") == text
    assert re.findall(r"https?://[^\"']*", text) == ["http://www.w3.org/2000/svg"]  # a name, not an address
    assert not re.findall(r"<(?:link|img|iframe)|src=|@import|fetch\(|XMLHttpRequest", text)
    graphs = page_data(text)["graphs"]
    steps = [step for graph in graphs for step in graph["steps"]]
    shown = {step["id"] for step in steps}
    layers = {e.id for e in module.graph.get_expr_by_type(tm.GetAttr) if isinstance(e.outputs[0], tm.ModuleNode)}
    inputs_ = {e.id for e in module.graph.get_expr_by_type(tm.Input)}
    assert shown == {e.id for e in module.graph.exprs()} - layers - inputs_
    relu = next(step for step in steps if step["title"] == "relu")
    assert relu["outs"] == [{"name": "relu_out", "shape": "1 × 4", "dtype": "float32"}]
    assert "branching.py:" in relu["loc"] and "self.act(self.first(x))" in relu["source"]
    branch = next(step for step in steps if step["title"] == "if")
    assert [label for label, _ in branch["parts"]] == ["then", "else"]
    then = graphs[branch["parts"][0][1]]
    assert [value["name"] for value in then["outside"]] == ["x"] and then["returns"] == "relu_out"
    first = next(step for step in steps if step.get("attr") == "first")
    assert first["owner"] == "Linear(in_features=4, out_features=4)"


def test_what_names_say_never_ends_the_script():
    def forward(self, x):
        return x * len("</script><script>")  # </script><script>

    text = tm.trace_module(layer(forward), tensor(2)).graph.to_html()
    assert text.count("</script>") == 2
    assert page_data(text)["graphs"][0]["steps"][0]["source"].endswith("# </script><script>")


def test_lines_and_layers_are_known_of_saved_and_loaded_models(module, tmp_path):
    tm.save(module, tmp_path / "net.dy2st")
    again = tm.load(tmp_path / "net.dy2st")
    pages = [page_data(graph.to_html()) for graph in (again.graph, module.graph)]
    for step in [step for page in pages for graph in page["graphs"] for step in graph["steps"]]:
        step["source"] = ""  # a line is shown where it was traced; a file only says which one it is, without the folder
        step.pop("condition", "")  # so it has the words of an expression, not those of the source
        step["loc"] = step.get("loc", "").rpartition("/")[2]
    assert pages[0] == pages[1]
    jit.save(jit.to_static(decoder(), input_spec=[InputSpec([None, 4], "float32", "x")]), str(tmp_path / "net"))
    loaded = tm.from_translated(jit.load(str(tmp_path / "net")))
    steps = [step for graph in page_data(loaded.graph.to_html())["graphs"] for step in graph["steps"]]
    found = {(step["title"], step.get("at"), step["loc"].rpartition("/")[2].partition(":")[0]) for step in steps if "loc" in step}
    assert ("relu", None, "branching.py") in found
    assert {at for _, at, _ in found if at} == {"first", "step", "last"}


class Decided(nn.Layer):
    def forward(self, x):
        return x + 1 if x.sum() > 0 and x.max() > 1 else x - 1


def test_a_condition_that_has_become_a_constant_is_drawn():
    traced = tm.trace_module(Decided(), dy2st.to_tensor([1.0, 2.0]))
    asked = [e for e in traced.graph.exprs(recursive=True) if getattr(e, "operator", "") == "py.truth"]
    assert asked
    for expr in asked:
        expr.args = (True,)
    assert "True" in traced.graph.to_html() and traced.graph.to_dot()
