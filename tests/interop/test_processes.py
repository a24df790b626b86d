"""Loaded models and static functions run in other processes, of multiprocessing and of joblib."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys

import numpy as np
import pytest
from interop import models

import dy2st as paddle
from dy2st import nn

BATCHES = [np.full((2, 2), i, "float32") for i in range(4)]


@pytest.fixture
def loaded(tmp_path):
    net = models.Net()
    net.eval()
    paddle.jit.save(paddle.jit.to_static(net, input_spec=models.SPEC), tmp_path / "net")
    return paddle.jit.load(tmp_path / "net")


def check(run, model):
    """`run(model, inputs)` gives what the model gives here."""
    inputs = [paddle.to_tensor(batch) for batch in BATCHES]
    for given, expected in zip(run(model, inputs), map(model, inputs), strict=True):
        np.testing.assert_allclose(given.numpy(), expected.numpy(), rtol=1e-6)


METHODS = [method for method in ("spawn", "fork") if method in multiprocessing.get_all_start_methods()]


@pytest.mark.parametrize("method", METHODS)
def test_multiprocessing(method, loaded):
    with multiprocessing.get_context(method).Pool(1) as pool:
        for model in (loaded, models.function, models.Decorated(), models.Counter().method):
            check(pool.map, model)


def test_joblib(loaded):
    joblib = pytest.importorskip("joblib")
    with joblib.Parallel(n_jobs=2, backend="loky") as parallel:
        for model in (loaded, models.function, models.Decorated(), models.Counter().method):
            check(lambda model, inputs: parallel(joblib.delayed(model)(x) for x in inputs), model)


def test_joblib_maps_large_weights(tmp_path):
    joblib = pytest.importorskip("joblib")
    spec = [paddle.static.InputSpec([None, 600], "float32")]
    paddle.jit.save(paddle.jit.to_static(nn.Linear(600, 600), input_spec=spec), tmp_path / "large")
    loaded = paddle.jit.load(tmp_path / "large")
    batch = np.ones((2, 600), "float32")
    given, kind = joblib.Parallel(n_jobs=2)([joblib.delayed(models.result_and_kind)(loaded, batch)] * 2)[0]
    np.testing.assert_allclose(given, loaded(batch).numpy(), rtol=1e-5, atol=1e-5)  # BLAS adds in another order with one thread
    assert kind == "memmap"


def test_what_joblib_cant_run_is_refused_before_it_is_sent(tmp_path):
    pytest.importorskip("joblib")
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})  # fmt: skip
    assert "is a static function of __main__, which the processes of joblib don't have" in done.stderr
    assert "define it in a module, or give them what jit.load gives" in done.stderr


SCRIPT = """
import dy2st as paddle
from joblib import Parallel, delayed

@paddle.jit.to_static
def double(x):
    return x * 2

if __name__ == "__main__":
    Parallel(n_jobs=2)(delayed(double)(paddle.ones([2])) for _ in range(2))
"""
