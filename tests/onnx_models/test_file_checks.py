"""What `Session` checks of an ONNX file before onnxruntime reads it; files beside a model, and lies that only a run can show."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading

import numpy as np
import pytest
from support.sampling import SEED, amount

from dy2st import nn
from dy2st.config import file_limits
from dy2st.errors import EngineError, ModelFileError
from dy2st.static import InputSpec

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
onnx = pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

from google.protobuf.message import DecodeError  # noqa: E402

import dy2st.onnx  # noqa: E402
from dy2st.onnx import file_checks, node_counts, opening, wire  # noqa: E402

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n"
X = InputSpec([None, 3], "float32", "x")
ROWS = np.arange(6, dtype="float32").reshape(2, 3)


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x):
        if x.sum() > 100:
            raise ValueError("large")
        return self.linear(x)


@pytest.fixture
def refused_early(monkeypatch):
    """onnxruntime sees no file."""

    def opened(*args):
        raise AssertionError("onnxruntime has seen the file")

    monkeypatch.setattr("dy2st.onnx.session.opened", opened)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    return onnx.load(dy2st.onnx.export(Net(), tmp_path_factory.mktemp("exported") / "net", [X]))


def copied(model):
    made = onnx.ModelProto()
    made.CopyFrom(model)
    return made


# --- files beside the model (L-06) ---


def beside(folder, location, **entries):
    """A model whose first weight lies in a file of this name: its path."""
    path = folder / "net.onnx"
    model = onnx.load(dy2st.onnx.export(Net(), path, [X]))
    weight = next(x for x in model.graph.initializer if len(x.dims) == 2)
    data = weight.raw_data
    weight.ClearField("raw_data")
    weight.data_location = onnx.TensorProto.EXTERNAL
    for key, value in {"location": location, **entries}.items():
        weight.external_data.add(key=key, value=str(value))
    path.write_bytes(model.SerializeToString())
    return path, data


def loads(path):
    """onnx.load and Session, each with what it says."""
    for load in (dy2st.onnx.load, dy2st.onnx.Session):
        with pytest.raises(ModelFileError) as told:
            load(str(path))
        yield str(told.value)


def test_l_06_a_weight_beside_the_model_is_read(tmp_path):
    path, data = beside(tmp_path, "deep/w.bin", offset=8, length=24)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "w.bin").write_bytes(b"12345678" + data + b"more")
    loaded = dy2st.onnx.load(path)(ROWS)  # the result, and the output that tells of an error
    np.testing.assert_allclose(dy2st.onnx.Session(path)(ROWS).numpy(), loaded[0].numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    "location, said",
    {
        "a\0b": "isn't in the folder of the model",
        "a" * 5000: "isn't in the folder of the model",
        "a" * 300: "can't be read: File name too long",
        "/".join(["a"] * 2000): "isn't there",
        "": "isn't in the folder of the model",
        ".": "it is a folder",
        "deep": "it is a folder",
        "deep/..": "it is a folder",
        "..": "isn't in the folder of the model",
        "deep/../../w.bin": "isn't in the folder of the model",
        "/etc/passwd": "isn't in the folder of the model",
        "pipe": "it is a pipe or device",
        "out.bin": "isn't in the folder of the model",
        "device": "isn't in the folder of the model",
        "circle": "can't be read|isn't there",
        "w.bin/more": "can't be read|isn't there",
        "none.bin": "isn't there",
        "*/_ORT_MEM_ADDR_/*": "isn't there",
        "pointer.bin": "pointer.bin is a Git LFS pointer",
        "\udcff": "can't be read|isn't there|is no text",
    }.items(),
)
def test_l_06_odd_places_of_weights_are_refused_in_words(location, said, tmp_path, refused_early):
    folder = tmp_path / "inside"
    folder.mkdir()
    (tmp_path / "w.bin").write_bytes(bytes(24))
    (folder / "deep").mkdir()
    (folder / "w.bin").write_bytes(bytes(24))
    (folder / "pointer.bin").write_bytes(POINTER)
    (folder / "out.bin").symlink_to(tmp_path / "w.bin")
    (folder / "device").symlink_to("/dev/zero")
    (folder / "circle").symlink_to(folder / "circle")
    os.mkfifo(folder / "pipe")
    try:
        path, _ = beside(folder, location)
    except (ValueError, UnicodeEncodeError):
        return  # which protobuf doesn't store
    for text in loads(path):
        assert any(part in text for part in said.split("|")), text
        assert len(text) < 700 and text.count("lies in the file") == (location != "pointer.bin")


@pytest.mark.parametrize(
    "entries, said",
    [
        ({"offset": 8}, "where 24 bytes are needed"),
        ({"offset": -4}, "from -4 on|its offset is '-4'"),
        ({"length": 20}, "where 24 bytes are needed"),
        ({"offset": "first"}, "at no place"),
        ({"offset": 1 << 70}, "at no place|where 24 bytes"),
        ({"length": "٣"}, "at no place|where 24 bytes"),
    ],
)
def test_l_06_a_weight_lies_within_its_file(entries, said, tmp_path, refused_early):
    (tmp_path / "w.bin").write_bytes(bytes(24))
    for text in loads(beside(tmp_path, "w.bin", **entries)[0]):
        assert any(part in text for part in said.split("|")), text


def test_l_06_many_tensors_of_one_file(tmp_path, refused_early):
    (tmp_path / "w.bin").write_bytes(bytes(24))
    path, _ = beside(tmp_path, "w.bin")
    model = onnx.load(path, load_external_data=False)
    weight = next(x for x in model.graph.initializer if x.external_data)
    for i in range(8):
        model.graph.initializer.add().CopyFrom(weight)
        model.graph.initializer[-1].name = f"w{i}"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(ModelFileError, match=r"tensors take 216 bytes of w.bin, which has 24"):
        dy2st.onnx.Session(path)


def test_l_06_bytes_lead_to_files_where_the_options_say(tmp_path):
    path, data = beside(tmp_path, "w.bin")
    (tmp_path / "w.bin").write_bytes(data)
    with pytest.raises(ModelFileError, match="load it by its path"):
        dy2st.onnx.Session(path.read_bytes())
    options = opening.quiet()
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(tmp_path))
    expected = dy2st.onnx.Session(path)(ROWS).numpy()
    np.testing.assert_array_equal(dy2st.onnx.Session(path.read_bytes(), options)(ROWS).numpy(), expected)


@pytest.mark.parametrize("load", [dy2st.onnx.load, dy2st.onnx.Session])
def test_a_pointer_of_git_lfs_and_crlf(load, tmp_path, exported):
    path = tmp_path / "net.onnx"
    path.write_bytes(POINTER)
    with pytest.raises(ModelFileError, match="net.onnx is a Git LFS pointer, not the file itself: run `git lfs pull`"):
        load(str(path))
    path.write_bytes(exported.SerializeToString().replace(b"\n", b"\r\n"))
    with pytest.raises(ModelFileError, match=r"Windows line ends \(CRLF\).*`\*.onnx -text` into .gitattributes"):
        load(str(path))


# --- errors that a run tells of (L-06) ---


def with_error(exported, value, dims=()):
    """The model, which reports this error at each call."""
    model = copied(exported)
    tree = json.loads(file_checks.told_by(model))
    (leaf,) = next(port["leaves"] for port in tree["outputs"] if port["role"] == "error")
    node = next(node for node in model.graph.node if leaf in node.output)
    node.output[list(node.output).index(leaf)] = "unused"
    tensor = onnx.helper.make_tensor("told", onnx.TensorProto.INT64, dims, np.full(dims, value).ravel())
    model.graph.node.append(onnx.helper.make_node("Constant", [], [leaf], value=tensor))
    return dy2st.onnx.Session(model.SerializeToString())


@pytest.mark.parametrize("number", [-1, 2, 1 << 62, -(1 << 63)])
def test_l_06_an_error_that_the_metadata_does_not_know(exported, number):
    assert with_error(exported, 0)(ROWS).shape == [2, 2]
    with pytest.raises(ValueError, match="large"):
        with_error(exported, 1)(ROWS)
    with pytest.raises(EngineError, match=f"reports the error {number}; the model's metadata has 1"):
        with_error(exported, number)(ROWS)


def test_l_06_an_error_that_is_no_number(exported):
    with pytest.raises((EngineError, ModelFileError), match="an output of|isn't what|doesn't load"):
        with_error(exported, 1, (2, 2))(ROWS)


# --- checks before onnxruntime ---


def first_tensor(model):
    return next(x for x in model.graph.initializer if len(x.dims) == 2)


def nested(model, depth):
    """A chain of Ifs inside each other."""
    graph = onnx.helper.make_graph([], "g", [], [])
    for _ in range(depth):
        node = onnx.helper.make_node("If", ["c"], ["y"], then_branch=graph)
        graph = onnx.helper.make_graph([node], "g", [], [])
    model.graph.node.append(onnx.helper.make_node("If", ["c"], ["y"], then_branch=graph))


def doubling(model, count):
    """Functions, each of which calls the next one twice."""
    for i in range(count):
        function = model.functions.add(name=f"f{i}", domain="d")
        for _ in range(2):
            function.node.append(onnx.helper.make_node(f"f{i + 1}", [], [], domain="d"))
    model.graph.node.append(onnx.helper.make_node("f0", [], [], domain="d"))


def sparse(model):
    values, indices = onnx.helper.make_tensor("v", 1, [1], [1.0]), onnx.helper.make_tensor("i", 7, [1], [5])
    model.graph.sparse_initializer.add().CopyFrom(onnx.helper.make_sparse_tensor(values, indices, [1 << 30]))


def constant(model):
    tensor = onnx.helper.make_tensor("t", 1, [2], [1.0, 2.0])
    tensor.dims[0] = 3
    model.graph.node.append(onnx.helper.make_node("Constant", [], ["q"], value=tensor))


def metadata(model, text):
    del model.metadata_props[:]
    model.metadata_props.add(key="dy2st", value=text)


CHANGES = {
    "less data": (lambda m: setattr(first_tensor(m), "raw_data", bytes(20)), "has 20 bytes of data; it needs 24"),
    "more data": (lambda m: setattr(first_tensor(m), "raw_data", bytes(28)), "has 28 bytes of data; it needs 24"),
    "no data": (lambda m: first_tensor(m).ClearField("raw_data"), "has 0 numbers of data; it needs 6"),
    "data twice": (lambda m: first_tensor(m).float_data.extend([0.0] * 6), "has data twice"),
    "data of another dtype": (
        lambda m: (first_tensor(m).ClearField("raw_data"), first_tensor(m).int64_data.extend([1] * 6)),
        "has its data in int64_data",
    ),
    "numbers that are too few": (
        lambda m: (first_tensor(m).ClearField("raw_data"), first_tensor(m).float_data.extend([1] * 5)),
        "has 5 numbers of data; it needs 6",
    ),
    "a negative length": (lambda m: first_tensor(m).dims.__setitem__(0, -3), "has a negative length"),
    "lengths whose product is 0 modulo 2**64": (
        lambda m: first_tensor(m).dims.extend([1 << 32, 1 << 32]),
        "file_limits.elements",
    ),
    "many axes": (lambda m: first_tensor(m).dims.extend([1] * 1000), "axes: 1002, more than the limit"),
    "no dtype": (lambda m: setattr(first_tensor(m), "data_type", 77), "has no dtype that ONNX has"),
    "an undefined dtype": (lambda m: setattr(first_tensor(m), "data_type", 0), "has no dtype that ONNX has"),
    "a wider dtype": (lambda m: setattr(first_tensor(m), "data_type", 11), "has 24 bytes of data; it needs 48"),
    "texts as bytes": (lambda m: setattr(first_tensor(m), "data_type", 8), "texts as bytes"),
    "segments": (lambda m: setattr(first_tensor(m).segment, "begin", 1), "in segments"),
    "a constant": (constant, "has 2 numbers of data; it needs 3"),
    "a sparse tensor": (sparse, "takes 4294967296 bytes once it is dense"),
    "a function that calls itself": (
        lambda m: m.functions.add(name="f", domain="d").node.append(onnx.helper.make_node("f", [], [], domain="d")),
        "functions call each other in a circle: 'f'",
    ),
    "functions that double": (lambda m: doubling(m, 30), "nodes, .*more than the limit.*file_limits.nodes"),
    "a long chain of functions": (lambda m: doubling(m, 3000), "nesting of graphs and calls of functions|nodes"),
    "functions of one name": (lambda m: [m.functions.add(name="f", domain="d") for _ in range(2)], "two functions of one name"),
    "no graph": (lambda m: m.ClearField("graph"), "it has no graph"),
    "no metadata": (lambda m: m.ClearField("metadata_props"), "wasn't written by dy2st.onnx.export"),
    "metadata twice": (lambda m: m.metadata_props.add(key="dy2st", value="{}"), "2 times"),
    "metadata that is no JSON": (lambda m: metadata(m, "{"), "is not valid JSON"),
    "metadata that is deep": (lambda m: metadata(m, "[" * 100_000), "nested too deeply|not valid JSON|isn't what"),
    "metadata of another kind": (lambda m: metadata(m, "[]"), "isn't what dy2st writes"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_l_06_a_session_checks_the_file_before_onnxruntime_does(case, exported, refused_early):
    change, said = CHANGES[case]
    model = copied(exported)
    change(model)
    with pytest.raises(ModelFileError, match=said):
        dy2st.onnx.Session(model.SerializeToString())


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A model with weights that the checks leave out of what they parse."""
    net = nn.Sequential(nn.Linear(3, 400), nn.Linear(400, 3))
    return onnx.load(dy2st.onnx.export(net, tmp_path_factory.mktemp("large") / "net", [X]))


def test_l_06_long_weights_are_checked_without_being_parsed(large, refused_early):
    data = large.SerializeToString()
    shortened, lengths = wire.without_weights(memoryview(data))
    assert sorted(lengths.values()) == [1600, 4800, 4800] and len(shortened) < len(data) - 11_000
    first, whole = onnx.ModelProto.FromString(shortened), copied(large)
    for i, length in lengths.items():
        assert len(whole.graph.initializer[i].raw_data) == length
        whole.graph.initializer[i].ClearField("raw_data")
    assert first == whole
    for change in (b"", b"1234"):
        changed = copied(large)
        for i in lengths:
            changed.graph.initializer[i].raw_data = changed.graph.initializer[i].raw_data[4:] + change + change
            with pytest.raises(ModelFileError, match="bytes of data; it needs"):
                dy2st.onnx.Session(changed.SerializeToString())
            changed = copied(large)


@pytest.mark.long
def test_l_06_an_unusual_encoding_is_parsed_as_a_whole(large, exported, refused_early):
    data = large.SerializeToString()
    two_graphs = data + exported.SerializeToString()
    with pytest.raises(wire.UnusualEncodingError):
        wire.without_weights(memoryview(two_graphs))
    with pytest.raises(ModelFileError):  # what a parser merges: the metadata is there twice
        dy2st.onnx.Session(two_graphs)
    chance = random.Random(SEED)
    for _ in range(amount(20_000, 400)):
        changed = bytearray(data[:200] + data[-2000:] if chance.random() < 0.3 else data)
        for _ in range(chance.randint(1, 3)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        try:
            shortened, lengths = wire.without_weights(memoryview(changed))
        except wire.UnusualEncodingError:
            continue
        try:
            whole = onnx.ModelProto.FromString(bytes(changed))
        except DecodeError:
            with pytest.raises(DecodeError):
                onnx.ModelProto.FromString(shortened)
            continue
        for i, length in lengths.items():
            assert len(whole.graph.initializer[i].raw_data) == length
            whole.graph.initializer[i].ClearField("raw_data")
        assert onnx.ModelProto.FromString(shortened).SerializeToString(deterministic=True) == whole.SerializeToString(
            deterministic=True
        )


def test_l_06_a_name_that_is_no_text(exported, refused_early):
    data = exported.SerializeToString().replace(b"linear", b"linea\xff")
    with pytest.raises(ModelFileError, match="a name in it is no text|is no ONNX model"):
        dy2st.onnx.Session(data)


def test_l_06_graphs_nest_to_a_limit(exported, monkeypatch):
    monkeypatch.setattr(file_limits, "depth", 10)
    model = copied(exported)
    nested(model, 9)
    node_counts.count_nodes(model)
    nested(model, 10)
    with pytest.raises(ModelFileError, match="nesting of graphs and calls of functions: 11, more than the limit of 10"):
        node_counts.count_nodes(model)


def test_l_06_limits_can_be_raised(exported, monkeypatch):
    monkeypatch.setattr(file_limits, "nodes", 2)
    with pytest.raises(ModelFileError, match=r"counted for each call: 3, more than the limit of 2.*file_limits.nodes"):
        dy2st.onnx.Session(exported.SerializeToString())


def test_l_06_a_pipe_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "net.onnx")
    for path in (tmp_path / "net.onnx", tmp_path, tmp_path / "none.onnx"):
        with pytest.raises(ModelFileError, match="can't read"):
            dy2st.onnx.Session(path)


def test_tensors_of_each_dtype_are_measured_right():
    """As the package onnx makes them, as bytes and as numbers."""
    kinds = [code for code in onnx.TensorProto.DataType.values() if code not in (0, 8)]
    for code in kinds:
        for shape in ((), (3,), (2, 3), (0, 2)):
            try:
                tensor = onnx.helper.make_tensor("t", code, shape, np.ones(shape).ravel().tolist())
            except (TypeError, ValueError, KeyError, NotImplementedError):
                continue
            whole = onnx.helper.make_model(onnx.helper.make_graph([], "g", [], [], [tensor]))
            file_checks.check_tensors(whole)
            raw = onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(tensor))
            if raw.data_type == code:
                whole.graph.initializer.add().CopyFrom(raw)
                file_checks.check_tensors(whole)
    texts = onnx.helper.make_tensor("t", 8, (2,), [b"a", b"b"])
    file_checks.check_tensors(onnx.helper.make_model(onnx.helper.make_graph([], "g", [], [], [texts])))


def test_without_the_package_onnx_a_session_works(tmp_path):
    path = dy2st.onnx.export(Net(), tmp_path / "net", [X])
    code = (
        "import sys; sys.modules['onnx'] = None\n"
        "import numpy as np, dy2st.onnx\n"
        f"print(dy2st.onnx.Session({path!r})(np.ones((2, 3), 'float32')).shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[2, 2]", done.stderr


def test_sessions_in_threads(exported):
    session, wrong = dy2st.onnx.Session(exported.SerializeToString()), []
    expected = session(ROWS).numpy()

    def work():
        wrong.extend(1 for _ in range(50) if not np.array_equal(session(ROWS).numpy(), expected))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
