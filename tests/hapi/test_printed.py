"""What a Model prints: its progress where somebody looks, lines everywhere, nothing where nothing was asked for."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dy2st as paddle

ROOT = Path(paddle.__file__).resolve().parent.parent
DATA = paddle.io.TensorDataset([paddle.ones([6, 2]), paddle.zeros([6, 1])])


class Zeros(paddle.nn.Layer):
    """Its loss is that of zeros, whatever it learns."""

    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([1])

    def forward(self, x):
        return x.sum(-1, keepdim=True) * 0 + self.weight * 0


def model_of(metrics=None):
    net = Zeros()
    model = paddle.Model(net)
    model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), lambda out, y: (out - y + 2).mean(), metrics)
    return model


def printed(work):
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        work()
    return stream.getvalue().splitlines()


EPOCHS = ["epoch 1/2 - loss: 2.0000", "eval - loss: 2.0000", "epoch 2/2 - loss: 2.0000", "eval - loss: 2.0000"]


@pytest.mark.parametrize("verbose, lines", [(0, []), (1, EPOCHS)])
def test_a_line_for_each_epoch(verbose, lines):
    assert printed(lambda: model_of().fit(DATA, DATA, batch_size=2, epochs=2, verbose=verbose)) == lines


def test_lines_meanwhile():
    assert printed(lambda: model_of(paddle.metric.Precision()).fit(DATA, batch_size=1, log_freq=4)) == [
        "epoch 1/1 - step 4/6 - loss: 2.0000 - precision: 0.0000",
        "epoch 1/1 - loss: 2.0000 - precision: 0.0000",
    ]
    endless = (batch for batch in paddle.io.DataLoader(DATA, batch_size=1))
    assert printed(lambda: model_of().fit(endless, num_iters=2, log_freq=1)) == [
        "epoch 1 - step 1 - loss: 2.0000", "epoch 1 - step 2 - loss: 2.0000", "epoch 1 - loss: 2.0000"
    ]  # fmt: skip
    assert printed(lambda: model_of().evaluate(DATA, batch_size=2, log_freq=2)) == [
        "eval - step 2/3 - loss: 2.0000", "eval - loss: 2.0000"
    ]  # fmt: skip
    assert printed(lambda: model_of().predict(DATA, batch_size=4, verbose=2)) == [
        "predict - step 1/2", "predict - step 2/2", "predict - samples: 6"
    ]  # fmt: skip


def test_a_logger_of_the_users_own():
    logger = paddle.callbacks.ProgBarLogger(log_freq=5, verbose=2)
    lines = printed(lambda: model_of().fit(DATA, epochs=1, verbose=1, callbacks=logger))
    assert lines == ["epoch 1/1 - step 5/6 - loss: 2.0000", "epoch 1/1 - loss: 2.0000"]


def test_early_stopping_says_so():
    stopping = paddle.callbacks.EarlyStopping()
    lines = printed(lambda: model_of().fit(DATA, DATA, batch_size=6, epochs=5, verbose=0, callbacks=stopping))
    assert lines == ["epoch 2: stopped, as loss doesn't get better"]


SCRIPT = """\
import sys
import time

import dy2st as paddle
from dy2st import progress

progress.DELAY = 0.3
net = paddle.nn.Linear(2, 1)


def slow(out, y):
    time.sleep(0.4)
    if "error" in sys.argv:
        raise ArithmeticError("on the way")
    return (out * 0 + 2).mean()


model = paddle.Model(net)
model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), slow)
data = paddle.io.TensorDataset([paddle.ones([6, 2]), paddle.zeros([6, 1])])
try:
    model.fit(data, batch_size=2, verbose=1)
except ArithmeticError as error:
    print(error)
"""
TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"


def run(folder, *arguments, in_terminal=True):
    (folder / "train.py").write_text(SCRIPT)
    environ = {key: value for key, value in os.environ.items() if key != "DY2ST_PROGRESS"}
    environ |= {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"}
    command = [sys.executable, "train.py", *arguments]
    command = [sys.executable, "-c", TERMINAL, *command] if in_terminal else command
    done = subprocess.run(command, cwd=folder, env=environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    assert done.returncode == 0, done
    return (done.stdout + done.stderr).decode().replace("\r\n", "\n")


posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")


@posix
def test_progress_on_a_terminal(tmp_path):
    shown = run(tmp_path)
    assert "epoch 1/1 - loss: 2.0000: 2 of 3 steps" in shown, shown
    assert re.split(r"[\r\n]+", shown.strip())[-1].strip() == "epoch 1/1 - loss: 2.0000"


@posix
def test_the_progress_goes_with_an_error(tmp_path):
    shown = run(tmp_path, "error")
    assert "epoch 1/1: 0 of 3 steps" in shown and shown.endswith("\ron the way\n"), shown


def test_logs_and_pipes_get_the_line_alone(tmp_path):
    assert run(tmp_path, in_terminal=False) == "epoch 1/1 - loss: 2.0000\n"
