"""Options of `save` and `load`: each has its effect, or is refused."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle


@pytest.mark.parametrize("suffix", ["pdparams", "safetensors"])
def test_return_numpy(tmp_path, suffix):
    path = str(tmp_path / f"m.{suffix}")
    paddle.save({"w": paddle.to_tensor([1.0, 2.0])}, path)
    loaded = paddle.load(path, return_numpy=True)["w"]
    assert type(loaded) is np.ndarray and loaded.tolist() == [1.0, 2.0]
    loaded[0] = 5.0  # memory of its own
    assert isinstance(paddle.load(path, return_numpy=False)["w"], paddle.Tensor)


def test_other_options_are_refused(tmp_path):
    path = str(tmp_path / "m.pdparams")
    paddle.save({"w": paddle.to_tensor([1.0])}, path)
    for call, error, words in (
        (lambda: paddle.load(path, return_nump=True), TypeError, "unexpected keyword argument 'return_nump'"),
        (lambda: paddle.load(path, params_filename="p"), ValueError, "files of Paddle's own"),
        (lambda: paddle.save({}, path, use_binary_format=True), ValueError, "leave it out"),
        (lambda: paddle.save({}, path, protocl=2), TypeError, "unexpected keyword argument 'protocl'"),
    ):
        with pytest.raises(error, match=words):
            call()
