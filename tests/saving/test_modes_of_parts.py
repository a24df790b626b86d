"""Layers whose parts are in different modes, and layers with a `__call__` of their own: loaded, they do what the layer does."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import dy2st
from dy2st import nn
from dy2st.errors import Dy2stWarning
from dy2st.jit import load, save
from dy2st.static import InputSpec

SPECS = [InputSpec([None, 3], "float32", "x")]
X = dy2st.to_tensor(np.arange(12, dtype="float32").reshape(4, 3) / 6 - 0.5)


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.drop, self.norm, self.frozen = nn.Dropout(1.0), nn.BatchNorm1D(3), nn.BatchNorm1D(3)

    def forward(self, x):
        y = self.drop(x) + self.norm(x) * 2 + self.frozen(x)
        if self.training:
            y = y + 100
        return y


class KeepsFrozen(Net):
    def train(self, mode=True):
        super().train(mode)
        self.frozen.eval()
        return self


@pytest.mark.filterwarnings("ignore:.* is saved in training mode")
@pytest.mark.parametrize("switches", [("eval", "train"), ("train", "eval")])
@pytest.mark.parametrize("cls", [Net, KeepsFrozen])
@pytest.mark.parametrize("start", ["train", "eval", "frozen", "dropping"])
def test_train_and_eval_of_a_loaded_model_do_what_they_do_to_the_layer(start, cls, switches, tmp_path):
    layer = cls()
    layer.train() if start in ("train", "frozen") else layer.eval()
    if start == "frozen":
        layer.frozen.eval()
    if start == "dropping":
        layer.drop.train()
    save(layer, tmp_path / "net", SPECS)
    loaded = load(tmp_path / "net")
    for switch in ("", *switches):
        if switch:
            getattr(loaded, switch)(), getattr(layer, switch)()
        assert loaded.training is layer.training
        np.testing.assert_allclose(loaded(X).numpy(), layer(X).numpy(), rtol=1e-5)
        save(loaded, tmp_path / "again")
        np.testing.assert_allclose(load(tmp_path / "again")(X).numpy(), _again(layer), rtol=1e-5)
        loaded(X)


def _again(layer):
    """What one more call gives."""
    return layer(X).numpy()


def test_i_04_a_layer_saved_while_training_is_told_once(tmp_path):
    layer = Net()
    with pytest.warns(Dy2stWarning, match="Net is saved in training mode") as told:
        save(layer, tmp_path / "net", SPECS)
    assert [each.filename for each in told] == [__file__] and layer.training
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(layer.eval(), tmp_path / "net", SPECS)
        save(nn.Linear(3, 2), tmp_path / "linear", SPECS)


class Plus(nn.Linear):
    def __call__(self, x, more=1.0):
        return super().__call__(x) + 100 * more


def test_s_02_the_call_of_a_layer_is_saved_that_its_class_has(tmp_path):
    layer = Plus(3, 2)
    save(layer, tmp_path / "plus", SPECS)
    np.testing.assert_allclose(load(tmp_path / "plus")(X).numpy(), layer(X).numpy(), rtol=1e-6)
    static = dy2st.jit.to_static(layer)
    np.testing.assert_allclose(static(X, more=2.0).numpy(), layer.forward(X).numpy() + 200, rtol=1e-6)
