"""Archives: one file, the same bytes, attributes as they are, no source needed."""

import io
import os
import zipfile
from typing import List  # noqa: UP035

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from script.fresh import fresh


class Adds(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.bn = nn.BatchNorm1D(2)
        self.count = 0

    def forward(self, x, times: int = 2):
        self.count += 1
        for _ in range(times):
            x = self.helper(x)
        return x

    def helper(self, x):
        return self.bn(self.linear(x))


X = paddle.rand([3, 2])


@pytest.fixture(scope="module")
def trained():
    """A scripted layer with what two calls in training have left."""
    m = jit.script(Adds())
    m.train()
    m(X)
    m(X)
    m.eval()
    return m


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory, trained):
    """What the archives give in a process that knows no source."""
    folder = tmp_path_factory.mktemp("saving")
    np.save(folder / "x.npy", X.numpy())
    held = trained.count
    trained.save(folder / "m.pt")
    for name, efficient in (("plain.pt", False), ("efficient.pt", True)):
        jit.script(Drops(efficient).eval()).save(folder / name)
    jit.trace(nn.Linear(2, 3).cpu(), X).save(folder / "cpu.pth")
    jit.script(generic).save(folder / "generic.pt")
    found = fresh(
        """
        import numpy as np, ast
        def outcome(f, *args):
            try:
                return f(*args).tolist()
            except Exception as error:
                return str(error) + str(getattr(error, "__notes__", ""))
        m = jit.load("m.pt")
        x = paddle.to_tensor(np.load("x.npy"))
        found["count"], found["mean"] = m.count, m.bn._mean.tolist()
        found["y"] = [m(x).tolist(), m(x, times=0).tolist(), m(x, 3).tolist()]
        ast.parse(m.code); found["graph"] = str(m.graph)[:6]
        found["is"] = isinstance(m, jit.ScriptModule)
        m.save("again.pt")
        again = jit.load("again.pt")
        found["again"] = [again.count, again(x).tolist()]
        m(x).sum().backward()
        found["grad"] = [n for n, p in m.named_parameters() if p.grad is not None]
        m.train(); m(x)
        found["moved"] = m.bn._mean.tolist()
        ones = paddle.ones([1])
        found["drops"] = [outcome(jit.load(name), ones) for name in ("plain.pt", "efficient.pt")]
        training = jit.load("plain.pt"); training.train()
        found["training"] = outcome(training, ones)
        cpu = jit.load("cpu.pth", map_location="cpu")
        found["cpu"] = [cpu(x).shape, [str(p.place) for p in cpu.parameters()]]
        generic = jit.load("generic.pt")
        found["generic"] = [
            [str(generic(x.astype(d)).dtype), generic(x.astype(d)).tolist()] for d in ("float32", "float64", "int64")
        ] + [outcome(generic, x.astype("bool"))]
        """,
        folder,
    )
    return found | {"folder": folder, "held": held}


def test_ts_36_paths_and_file_objects(tmp_path, trained):
    class Writes:
        """All that a file object needs to be saved to."""

        def __init__(self):
            self.parts, self.flushed = [], False

        def write(self, data):
            self.parts.append(bytes(data))
            return len(data)

        def flush(self):
            self.flushed = True

    file, path = Writes(), tmp_path / "m.pt"
    jit.save(trained, file)
    trained.save(str(path))
    assert file.flushed and b"".join(file.parts) == path.read_bytes()
    for source in (str(path), path, io.BytesIO(path.read_bytes()), path.open("rb")):
        np.testing.assert_array_equal(jit.load(source)(X).numpy(), trained(X).numpy())


def test_ts_37_exactly_one_file_at_the_path(tmp_path, trained):
    jit.save(trained, str(tmp_path / "model.pt"))
    assert os.listdir(tmp_path) == ["model.pt"] and zipfile.is_zipfile(tmp_path / "model.pt")


def test_ts_38_extra_files_come_back_through_the_mapping(tmp_path, trained):
    jit.save(trained, tmp_path / "m.pt", _extra_files={"foo.txt": "bar", "data.bin": b"\x00\x01"})
    extra = {"foo.txt": "", "data.bin": ""}
    again = jit.load(tmp_path / "m.pt", _extra_files=extra)
    assert extra["foo.txt"] in ("bar", b"bar") and extra["data.bin"] == b"\x00\x01"
    np.testing.assert_array_equal(again(X).numpy(), trained(X).numpy())


def test_ts_39_map_location_is_the_cpu(tmp_path, trained):
    trained.save(tmp_path / "m.pt")
    assert jit.load(tmp_path / "m.pt", map_location="cpu")(X).tolist() == trained(X).tolist()
    with pytest.raises(Exception, match="device"):
        jit.load(tmp_path / "m.pt", map_location="cuda:7")


def test_ts_40_the_archive_runs_without_the_source(elsewhere, trained):
    for got, times in zip(elsewhere["y"], (2, 0, 3)):
        np.testing.assert_allclose(got, trained(X, times).numpy(), rtol=1e-5)
    assert {"linear.weight", "linear.bias"} <= set(elsewhere["grad"])


def test_ts_41_attributes_hold_what_they_held_when_saved(elsewhere):
    assert elsewhere["count"] == elsewhere["held"] >= 2
    assert elsewhere["again"][0] == elsewhere["held"] + 3  # it was called three times before it was saved again


def test_ts_42_a_loaded_module_is_a_script_module(elsewhere, trained):
    assert elsewhere["is"] and elsewhere["graph"] == "graph("
    np.testing.assert_allclose(elsewhere["again"][1], trained(X).numpy(), rtol=1e-5)
    assert [n for n, _ in jit.load(elsewhere["folder"] / "again.pt").named_parameters()] == [
        n for n, _ in trained.named_parameters()
    ]


def test_ts_136_default_values_and_keywords_survive(elsewhere, trained):
    for got, given in zip(elsewhere["y"], ({}, {"times": 0}, {"times": 3})):
        np.testing.assert_allclose(got, trained(x=X, **given).numpy(), rtol=1e-5)
    file = io.BytesIO()
    jit.script(Defaults()).save(file)
    file.seek(0)
    for made in (jit.script(Defaults()), jit.load(file)):
        assert [made(), made([5]), made(by=2.0), made(name="abc", sizes=[1])] == [6.0, 8.0, 12.0, 3.5]
        with pytest.raises(TypeError, match="unknown"):
            made(nothing=1)


class Defaults(nn.Layer):
    def forward(self, sizes: List[int] = [1, 2], by: float = 0.5, name: str = "abcd") -> float:  # noqa: B006
        return sum(sizes) + by * len(name) + 1.0


def test_ts_158_running_statistics_change_and_are_saved(elsewhere, trained):
    plain = Adds()
    plain.set_state_dict({k: v for k, v in trained.state_dict().items() if "bn._" not in k})
    plain.train()
    plain(X), plain(X)
    np.testing.assert_allclose(trained.bn._mean.numpy(), plain.bn._mean.numpy(), rtol=1e-5)
    assert abs(trained.bn._mean.numpy()).max() > 0 and elsewhere["mean"] == trained.bn._mean.tolist()
    plain(X)
    np.testing.assert_allclose(elsewhere["moved"], plain.bn._mean.numpy(), rtol=1e-5)  # there, training goes on


def test_ts_159_cpu_then_trace_then_save_then_load(elsewhere):
    assert elsewhere["cpu"] == [[3, 3], ["Place(cpu)"] * 2]


def generic(x):
    return x * 2


def test_other_dtypes_than_the_one_it_was_compiled_for(elsewhere):
    for (dtype, got), name in zip(elsewhere["generic"], ("float32", "float64", "int64")):
        expected = generic(X.astype(name))
        assert dtype == str(expected.dtype) and got == expected.tolist()
    assert "float64" in elsewhere["generic"][3] and "bool" in elsewhere["generic"][3]


def picks(x, i):
    return x[i] * 2


def test_a_tensor_beside_its_index():
    file = io.BytesIO()
    jit.script(picks).save(file)
    file.seek(0)
    loaded, index = jit.load(file), paddle.to_tensor([0, 2])
    for x in (X, X.astype("int64")):
        assert loaded(x, index).tolist() == picks(x, index).tolist()


def test_the_same_bytes_twice(tmp_path, trained):
    for name in ("a", "b"):
        trained.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


class CallsPython(nn.Layer):
    @jit.ignore
    def debugger(self, x):
        return x * 2

    def forward(self, x):
        return self.debugger(x + 1)


with pytest.warns(DeprecationWarning):
    DROP = jit.ignore(drop=True)


class Drops(nn.Layer):
    def __init__(self, efficient=False):
        super().__init__()
        self.efficient = efficient

    @DROP
    def training_method(self, x):
        import pdb

        pdb.set_trace()

    @jit.unused
    def memory_efficient(self, x):
        import pdb

        pdb.set_trace()
        return x + 10

    def forward(self, x):
        if self.training:
            self.training_method(x)
        if self.efficient:
            return self.memory_efficient(x)
        return x + 10


def test_ts_43_a_call_of_python_runs_but_is_not_saved(tmp_path):
    m = jit.script(CallsPython())
    assert m(paddle.ones([1])).tolist() == [4.0]
    with pytest.raises(RuntimeError, match="debugger"):
        m.save(tmp_path / "m.pt")
    assert os.listdir(tmp_path) == []


def test_ts_44_a_dropped_call_is_a_raise_when_it_is_reached(elsewhere):
    d = jit.script(Drops())
    with pytest.raises(RuntimeError, match="training_method") as error:
        d(paddle.ones([1]))
    assert error.traceback[-1].lineno + 1 == Drops.forward.__code__.co_firstlineno + 2
    d.eval()
    assert d(paddle.ones([1])).tolist() == [11.0]
    assert elsewhere["drops"][0] == [11.0] and "training_method" in elsewhere["training"]


def test_ts_45_an_unused_method_saves_either_way(elsewhere):
    for efficient in (False, True):
        d = jit.script(Drops(efficient).eval())
        if not efficient:
            assert d(paddle.ones([1])).tolist() == [11.0]
            continue
        with pytest.raises(RuntimeError, match="memory_efficient"):
            d(paddle.ones([1]))
    assert elsewhere["drops"][0] == [11.0] and "memory_efficient" in elsewhere["drops"][1]


def test_e_02_a_buffer_that_is_summed_up_keeps_the_dtype_that_it_has(tmp_path):
    class Total(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", paddle.zeros([1]))

        def forward(self, x):
            self.total = self.total + x.sum()
            return x

    jit.script(Total()).save(tmp_path / "total.pt")
    loaded = jit.load(tmp_path / "total.pt")
    loaded(paddle.ones([2]))
    loaded(paddle.ones([2]))
    assert loaded.total.tolist() == [4.0] and loaded.total.dtype == paddle.float32
