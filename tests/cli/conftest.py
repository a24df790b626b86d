"""A user's file and a saved model for the command-line tests."""

from __future__ import annotations

import numpy as np
import pytest

SOURCE = '''\
import dy2st as paddle


class Net(paddle.nn.Layer):
    def __init__(self, scale=2.0):
        super().__init__()
        self.linear = paddle.nn.Linear(3, 2)
        self.scale = scale

    def forward(self, x):
        if x.sum() > 0:
            y = self.linear(x)
        else:
            y = self.linear(-x) * self.scale
        return {"y": y, "rows": [x, 7]}


class NeedsArguments(paddle.nn.Layer):
    def __init__(self, width):
        super().__init__()
        self.linear = paddle.nn.Linear(width, width)

    def forward(self, x):
        return self.linear(x)


def double(x):
    while x.sum() < 10:
        x = x * 2.0
    return x


@paddle.jit.to_static(input_spec=[paddle.static.InputSpec([None, 3], "float32", "x")])
def halve(x):
    return x / 2


def uses_numpy(x):
    return paddle.to_tensor(x.numpy())


net = NeedsArguments(3)
number = 5
'''


@pytest.fixture
def user_file(tmp_path):
    path = tmp_path / "net.py"
    path.write_text(SOURCE)
    return path


@pytest.fixture
def dy2st_command(capsys):
    """dy2st_command("run", ...) -> (exit code, stdout, stderr)."""
    from dy2st.cli import main

    def run(*arguments):
        try:
            code = main([str(a) for a in arguments])
        except SystemExit as exit:  # argparse ends wrong usage itself
            code = exit.code
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


@pytest.fixture
def saved_model(user_file, tmp_path):
    """(path, module): Net of the user's file, saved."""
    from dy2st import jit
    from dy2st.cli.naming.sources import load_source
    from dy2st.static import InputSpec

    module = load_source(user_file)
    net = jit.to_static(module.Net(), input_spec=[InputSpec([None, 3], "float32", "x")])
    jit.save(net, str(tmp_path / "out" / "net"))
    return tmp_path / "out" / "net", net


@pytest.fixture
def x(tmp_path):
    """(path, array) of an input."""
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save(tmp_path / "x.npy", array)
    return tmp_path / "x.npy", array
