"""Archives: one file, the same bytes, attributes as they are, no source needed."""

import io
import os
import zipfile

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


def test_ts_36_ts_37_ts_38_ts_39_one_file(tmp_path):
    m = jit.script(Adds())
    x = paddle.rand([3, 2])
    m.eval()
    folder = tmp_path / "only"
    folder.mkdir()
    jit.save(m, str(folder / "model.pt"), _extra_files={"foo.txt": "bar"})
    assert os.listdir(folder) == ["model.pt"]
    extra = {"foo.txt": ""}
    again = jit.load(str(folder / "model.pt"), map_location="cpu", _extra_files=extra)
    assert extra["foo.txt"] in ("bar", b"bar")
    np.testing.assert_array_equal(again(x).numpy(), m(x).numpy())
    buffer = io.BytesIO()
    jit.save(m, buffer)
    buffer.seek(0)
    np.testing.assert_array_equal(jit.load(buffer)(x).numpy(), m(x).numpy())
    buffer.seek(0)
    with pytest.raises(Exception, match="device"):
        jit.load(buffer, map_location="cuda:7")
    assert zipfile.is_zipfile(folder / "model.pt")


def test_ts_40_ts_41_ts_42_ts_136_ts_158_a_fresh_process(tmp_path):
    m = jit.script(Adds())
    x = paddle.rand([3, 2])
    m.train()
    m(x)
    m(x)
    assert m.count == 2 and abs(m.bn._mean.numpy()).max() > 0
    m.eval()
    np.save(tmp_path / "x.npy", x.numpy())
    m.save(tmp_path / "m.pt")
    m.save(tmp_path / "n.pt")
    assert (tmp_path / "m.pt").read_bytes() == (tmp_path / "n.pt").read_bytes()
    found = fresh(
        """
        import numpy as np, ast
        m = jit.load("m.pt")
        x = paddle.to_tensor(np.load("x.npy"))
        found["count"], found["mean"] = m.count, m.bn._mean.tolist()
        found["y"] = [m(x).tolist(), m(x, times=0).tolist(), m(x, 3).tolist()]
        ast.parse(m.code); found["graph"] = str(m.graph)[:6]
        found["is"] = isinstance(m, jit.ScriptModule)
        m.save("again.pt")
        found["again"] = jit.load("again.pt").count
        m(x).sum().backward()
        found["grad"] = [n for n, p in m.named_parameters() if p.grad is not None]
        """,
        tmp_path,
    )
    assert found["count"] == 2 and found["again"] == 5 and found["is"] and found["graph"] == "graph("
    assert found["mean"] == m.bn._mean.tolist()
    for got, times in zip(found["y"], (2, 0, 3)):
        np.testing.assert_allclose(got, m(x, times).numpy(), rtol=1e-5)
    assert {"linear.weight", "linear.bias"} <= set(found["grad"])


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


def test_ts_43_ts_44_ts_45_what_stays_python(tmp_path):
    m = jit.script(CallsPython())
    assert m(paddle.ones([1])).tolist() == [4.0]
    with pytest.raises(RuntimeError, match="debugger"):
        m.save(tmp_path / "m.pt")
    for name, efficient in (("plain.pt", False), ("efficient.pt", True)):
        d = jit.script(Drops(efficient))
        with pytest.raises(Exception, match="training_method"):
            d(paddle.ones([1]))
        d.eval()
        d.save(tmp_path / name)
        if efficient:
            with pytest.raises(Exception, match="memory_efficient"):
                d(paddle.ones([1]))
        else:
            assert d(paddle.ones([1])).tolist() == [11.0]
    found = fresh(
        """
        found["plain"] = jit.load("plain.pt")(paddle.ones([1])).tolist()
        try:
            jit.load("efficient.pt")(paddle.ones([1]))
        except Exception as error:
            found["error"] = str(error) + str(getattr(error, "__notes__", ""))
        """,
        tmp_path,
    )
    assert found["plain"] == [11.0] and "memory_efficient" in found["error"]
