"""Control flow that tensors decide: both paths are there, in what is traced, copied, flattened, edited, saved and loaded."""

import copy
import io

import pytest
from traced_module.branching import MODELS, inputs, made
from traced_module.models import same, unsettle

import dy2st
from dy2st import jit
from dy2st import traced_module as tm
from dy2st.static import InputSpec
from dy2st.traced_module.tree import leaves


def agree(module, net, tolerance=1e-6):
    """The same result as plain Python, on each path."""
    for x in inputs():
        same(module(x), net(x), tolerance)


def saved(module):
    file = io.BytesIO()
    tm.save(module, file)
    file.seek(0)
    return tm.load(file)


@pytest.mark.parametrize("forward", MODELS)
def test_every_path_is_there(forward):
    net = made(forward)
    unsettle(net)
    for example in list(inputs())[:2]:
        traced = tm.trace_module(net, example)
        agree(traced, net)
    assert traced.graph.get_expr_by_type(tm.If).as_count() + traced.graph.get_expr_by_type(tm.While).as_count() > 0
    for other in (copy.deepcopy(traced), saved(traced)):
        assert str(other.graph) == str(traced.graph)
        agree(other, net)
    flat = traced.flatten()
    assert all(e.graph is None for e in flat.graph.get_method_by_type("__call__"))
    agree(flat, net)
    agree(tm.optimize(flat, ["FuseConvBn", "FuseAddMul", "BackwardFoldScale"]), net, 1e-5)
    static = jit.to_static(saved(flat), input_spec=[InputSpec([None, 4], "float32", "x")])
    for x in inputs():
        same(list(map(dy2st.to_tensor, leaves(static(x)))), list(map(dy2st.to_tensor, leaves(net(x)))), 1e-6)
