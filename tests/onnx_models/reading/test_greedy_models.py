"""A small file may ask for any amount of memory and time: loading it takes little of both, or says no (found.md L-01 to L-03)."""

from __future__ import annotations

import os
import time
import tracemalloc

import numpy as np
import pytest

pytest.importorskip("onnx", reason="models are read with the package onnx: pip install '.[onnx]'")

from onnx_models.reading.greedy import GREEDY, added, chain, made, node
from onnx_models.reading.small import model, session

import dy2st
from dy2st.config import file_limits
from dy2st.errors import ConversionError, ModelFileError

REFUSED = {
    "axes": "Reshape o: the length of input 1 is 1000000",
    "axes_of_an_array": "Unsqueeze o: 100001 axes are more than the 64",
    "axes_of_lengths": "Reshape o: the length of input 1 is 3000",
    "chain_of_functions": "the function 'f64': nesting of graphs and calls of functions: 65, more than the limit of 64",
    "columns_of_indices": "GatherND y: the last length of the indices is 2147483648",
    "corners": "GridSample y: the number of neighbours of a place is 274877906944",
    "doubled_ints": "Concat a34: elements of the result: 17179869184000",
    "doubled_floats": "Concat a34: elements of the result: 17179869184000",
    "endless_trips": "Loop last: elements of the result: 2305843009213693952",
    "functions_that_double": "200001, more than the limit of 200000",
    "neighbours": "LRN o: the size of LRN is 1099511627776",
    "scan_of_many": "Scan y: num_scan_inputs is 400000000, and 1 inputs",
    "scan_of_none": "Scan y: num_scan_inputs is -3, and 1 inputs",
}
MEMORY = 40 << 20  # bytes, besides twice the file: a constant that is folded has 8 MB at most


@pytest.mark.parametrize("name", GREEDY)
def test_l_02_and_l_03_loading_takes_little_memory_and_time(name):
    data = GREEDY[name]().SerializeToString()
    dy2st.onnx.load(model("(float[2] x) => (float[2] y)", "y = Relu(x)"))  # what is imported is no part of the measure
    tracemalloc.start()
    started = time.process_time()
    try:
        if name in REFUSED:
            with pytest.raises((ModelFileError, ConversionError), match=REFUSED[name]):
                dy2st.onnx.load(data)
        else:
            dy2st.onnx.load(data)
        assert time.process_time() - started < 60
        assert tracemalloc.get_traced_memory()[1] < 2 * len(data) + MEMORY
    finally:
        tracemalloc.stop()


def operations(net):
    return [op.name for op in net.program().walk()]


def test_l_03_a_loop_of_known_trips_is_a_loop():
    net = dy2st.onnx.load(GREEDY["trips"]())
    assert operations(net).count("sin") == 1 and "while" in operations(net)
    x = np.array([1, 2], "float32")
    expected = session(GREEDY["trips"]())(x=x)[0]
    np.testing.assert_allclose(net(x).numpy(), expected, rtol=1e-6)


def test_a_loop_that_cannot_be_staged_is_unrolled_where_it_has_few_iterations():
    """Each iteration gives a tensor another axis."""
    body = """y = Loop(n, , x) <body = turn (int64 i, bool before, float s) => (bool after, float t) {
        zero = Constant <value_ints = [0]> () t = Unsqueeze(s, zero) after = Identity(before)
    }>"""
    net = dy2st.onnx.load(model("(float[2] x) => (float y)", body, n=np.array(3)))
    assert net(np.ones(2, "float32")).shape == [1, 1, 1, 2]
    with pytest.raises(ConversionError, match=r"small:3: Unsqueeze t: ndim takes a tensor whose number of axes is known"):
        dy2st.onnx.load(model("(float[2] x) => (float y)", body, n=np.array(1 << 40)))


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("antialias", [0, 1])
@pytest.mark.parametrize("given", ["scales", "sizes"])
@pytest.mark.parametrize("lengths", [[1, 1, 4, 6], ["N", 3, 4, 6], ["N", 3, "H", 6]])
def test_l_01_an_image_of_known_height_and_width_is_resized(mode, antialias, given, lengths):
    """onnxruntime has no `antialias` of nearest."""
    antialias = antialias if mode != "nearest" else 0
    inputs = ["x", "", "scales"] if given == "scales" else ["x", "", "", "sizes"]
    image = np.random.default_rng(0).normal(size=[n if isinstance(n, int) else 4 for n in lengths]).astype("float32")
    constants = {"scales": np.array([1, 1, 2, 0.5], "float32"), "sizes": np.array([*image.shape[:2], 7, 3])}
    resized = made(
        [node("Resize", inputs, ["o"], mode=mode, antialias=antialias), *added("o")][:1], lengths, **{given: constants[given]}
    )
    resized.graph.output[0].name = "o"
    resized.graph.output[0].type.tensor_type.ClearField("shape")
    for k in range(4):
        resized.graph.output[0].type.tensor_type.shape.dim.add(dim_param=f"D{k}")
    found, expected = dy2st.onnx.load(resized)(image).numpy(), session(resized)(x=image)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("indices", [[1, 4], [[0, 1], [1, 1]]])
def test_l_01_sparse_initialisers_are_parameters_of_their_values(indices):
    from onnx import helper, numpy_helper

    values = numpy_helper.from_array(np.array([3, 5], "float32"), "w")
    tensor = helper.make_sparse_tensor(values, numpy_helper.from_array(np.array(indices), "w_indices"), [2, 3])
    proto = model("(float[N, 2] x) => (float[N, 3] y)", "y = MatMul(x, w)")
    proto.graph.sparse_initializer.append(tensor)
    net = dy2st.onnx.load(proto)
    assert net(np.ones((1, 2), "float32")).tolist() == [[0, 8, 0]]
    assert [p.tolist() for p in net.parameters()] == [[3, 5]]
    tensor.dims[:] = [2, 2]
    proto.graph.sparse_initializer[0].dims[:] = [1, 1]
    with pytest.raises(ModelFileError):
        dy2st.onnx.load(proto)


def test_l_02_files_beside_a_model_are_mapped_once(tmp_path):
    from onnx import TensorProto

    count = 1 << 20
    (tmp_path / "w.bin").write_bytes(np.ones(count, "float32").tobytes())
    names = [f"w{k}" for k in range(20)]
    nodes = [node("Add", [f"x{k}" if k else "x", name], [f"x{k + 1}"]) for k, name in enumerate(names)]
    proto = made([*nodes, node("Identity", ["x20"], ["y"])], [1])
    for name in names:
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=[count], data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="w.bin")
        proto.graph.initializer.append(tensor)
    path = tmp_path / "net.onnx"
    path.write_bytes(proto.SerializeToString())
    tracemalloc.start()
    try:
        net = dy2st.onnx.load(path)
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()
    assert (net(np.zeros(1, "float32")).numpy() == 20).all()
    net.w0.set_value(np.zeros(count, "float32"))  # what is written is no part of the file
    assert np.fromfile(tmp_path / "w.bin", "float32").all() and os.path.getsize(tmp_path / "w.bin") == 4 * count


def test_a_limit_can_be_raised(monkeypatch):
    with pytest.raises(ModelFileError, match=r"raise dy2st.config.file_limits.nodes"):
        monkeypatch.setattr(file_limits, "nodes", 100)
        dy2st.onnx.load(chain(8, 2))
    monkeypatch.setattr(file_limits, "nodes", 1000)
    assert dy2st.onnx.load(chain(8, 2))(np.ones(2, "float32")).tolist() == [1, 1]
