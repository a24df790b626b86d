"""A Model that is saved and loaded goes on as if nothing had happened; saved for inference, it runs without its source."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

RNG = np.random.RandomState(0)
DATA = paddle.io.TensorDataset([paddle.to_tensor(RNG.randn(12, n).astype("float32")) for n in (3, 1)])


def prepared(seed=0, width=4):
    with paddle.utils.unique_name.guard():
        paddle.seed(seed)
        net = paddle.nn.Sequential(paddle.nn.Linear(3, width), paddle.nn.Dropout(0.5), paddle.nn.Linear(width, 1))
        model = paddle.Model(net, inputs=InputSpec([None, 3], "float32", "x"))
        rate = paddle.optimizer.lr.ExponentialDecay(0.1, 0.9)
        model.prepare(paddle.optimizer.Adam(rate, parameters=net.parameters()), paddle.nn.MSELoss())
        return model


def losses(model, seed):
    paddle.seed(seed)
    found = []

    class Heard(paddle.callbacks.Callback):
        def on_train_batch_end(self, step, logs=None):
            found.append(logs["loss"])

    model.fit(DATA, batch_size=4, epochs=2, verbose=0, callbacks=Heard())
    return found


def test_a_loaded_model_goes_on_with_equal_losses(tmp_path):
    model, other = prepared(), prepared(seed=5)
    losses(model, 1)
    model.save(tmp_path / "net")
    other.load(tmp_path / "net")
    assert losses(model, 2) == losses(other, 2)
    again = prepared(seed=5)
    again.load(f"{tmp_path}/net.pdparams", reset_optimizer=True)
    assert again._optimizer.get_lr() == 0.1
    np.testing.assert_array_equal(again.predict_batch(np.ones([1, 3], "float32")), _first(tmp_path))


def _first(folder):
    model = prepared(seed=6)
    model.load(folder / "net")
    return model.predict_batch(np.ones([1, 3], "float32"))


def test_parameters_that_do_not_fit(tmp_path):
    prepared().save(tmp_path / "net")
    other = prepared(seed=5, width=6)
    before = other.network.state_dict()["0.weight"].numpy().copy()
    with pytest.raises(ValueError, match=r"0.weight has shape \[3, 6\], in the file \[3, 4\].*skip_mismatch=True"):
        other.load(tmp_path / "net")
    with pytest.warns(UserWarning, match="it stays as it is, and so does the optimizer"):
        other.load(tmp_path / "net", skip_mismatch=True)
    state = other.network.state_dict()
    np.testing.assert_array_equal(state["0.weight"].numpy(), before)
    np.testing.assert_array_equal(state["2.bias"].numpy(), prepared().network.state_dict()["2.bias"].numpy())
    longer = paddle.Model(paddle.nn.Sequential(*other.network, paddle.nn.Linear(1, 1)))
    with pytest.raises(ValueError, match="3.weight isn't in the file"):
        longer.load(tmp_path / "net")


def test_for_inference(tmp_path):
    model = prepared()
    losses(model, 1)
    model.network.train()
    model.save(tmp_path / "net", training=False)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    x = np.ones([2, 3], "float32")
    np.testing.assert_array_equal(loaded(paddle.to_tensor(x)).numpy(), model.predict_batch(x)[0])
    again = paddle.Model(loaded, inputs=InputSpec([None, 3], "float32", "x"))
    np.testing.assert_array_equal(again.predict(DATA, 12, verbose=0)[0][0], model.predict(DATA, 12, verbose=0)[0][0])
    with pytest.raises(ValueError, match="save.training=False. needs to know the inputs"):
        paddle.Model(model.network).save(tmp_path / "other", training=False)
    static = paddle.Model(paddle.jit.to_static(paddle.nn.Linear(2, 1), input_spec=[InputSpec([None, 2])]))
    static.save(tmp_path / "static", training=False)
    assert paddle.jit.load(str(tmp_path / "static"))(paddle.ones([1, 2])).shape == [1, 1]


def test_checkpoints(tmp_path):
    prepared().fit(DATA, batch_size=6, epochs=3, verbose=0, save_dir=tmp_path / "all", save_freq=2)
    assert {path.name for path in (tmp_path / "all").iterdir()} == {
        f"{name}.{ending}" for name in ("0", "2", "final") for ending in ("pdparams", "pdopt")
    }


@pytest.mark.parametrize("method", ["save", "load"])
def test_a_path_needs_a_name(tmp_path, method):
    with pytest.raises(ValueError, match="the path is a folder and a name"):
        getattr(prepared(), method)(f"{tmp_path}/")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(paddle.errors.ModelFileError, match="net.pdparams"):
        prepared().load(tmp_path / "net")
