"""Passes on a Program from a file: read, rewritten, written again, loaded."""

import numpy as np

import dy2st
from dy2st import jit, nn, passes
from dy2st.saving import read_files, write_files
from dy2st.static import InputSpec


class Net(nn.Layer):
    """A convolution with a normalisation, and a loop in which a product doesn't follow the turn."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.head = nn.Conv2D(2, 4, 3), nn.BatchNorm2D(4), nn.Linear(4, 3)

    def forward(self, x, turns):
        y = nn.functional.relu(self.norm(self.conv(x))).mean(axis=[2, 3])
        total, turn = self.head(y), 0
        while turn < turns:
            total = total + dy2st.tanh(self.head(y) * 1.0)
            turn += 1
        return total


def saved(tmp_path, **options):
    """The untouched network, and where it was saved."""
    net = Net()
    net.norm._mean.set_value(np.array([0.5, -1.0, 2.0, 0.1], "float32"))
    net.norm._variance.set_value(np.array([0.5, 1.0, 2.0, 3.0], "float32"))
    net.eval()
    specs = [InputSpec([None, 2, 6, 6], "float32"), InputSpec([], "int64")]
    jit.save(jit.to_static(net, input_spec=specs), str(tmp_path / "net"), **options)
    net.forward.rollback()
    return net, str(tmp_path / "net")


def inputs(turns):
    x = np.random.default_rng(turns).normal(size=(3, 2, 6, 6)).astype("float32")
    return dy2st.to_tensor(x), dy2st.to_tensor(np.array(turns))


def test_exact_passes(tmp_path):
    net, path = saved(tmp_path)
    program, info = read_files(path)
    before = {op.loc for op in program.walk()}
    count = sum(1 for _ in program.walk())
    passes.run(program)
    assert sum(1 for _ in program.walk()) < count
    assert {op.loc for op in program.walk()} <= before
    write_files(path + "2", program, info)
    for turns in (0, 1, 4):
        given = inputs(turns)
        assert np.array_equal(jit.load(path + "2")(*given).numpy(), net(*given).numpy())


def test_fusions(tmp_path):
    net, path = saved(tmp_path, one_mode=True)
    program, info = read_files(path)
    passes.run(program, "linear", "conv_batch_norm", "dead_code")
    assert not {"batch_norm", "matmul"} & {op.name for op in program.walk()}
    write_files(path + "2", program, info)
    for turns in (0, 4):
        given = inputs(turns)
        np.testing.assert_allclose(jit.load(path + "2")(*given).numpy(), net(*given).numpy(), rtol=1e-4, atol=1e-5)
