"""Mistakes of people who know another library, or the files by half: the message says what was given and what to write."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, ModelFileError, ShapeError
from dy2st.static import InputSpec

X = paddle.ones([2, 3])
RESIDUE = ("layer.py", "translated_layer.py", "tracebacks.py")


class Tensor:
    """Of another library."""


Tensor.__module__ = "torch"


def linear():
    return paddle.nn.Linear(3, 3)


def of_an_open_length(x):
    return paddle.nn.Linear(x.shape[1], 3)(x)


def stored_in_an_array(x):
    array = np.zeros(3)
    array[0] = x[0]
    return x * array


def two(x, y):
    return x + y


def as_program(function, *specs):
    return paddle.jit.to_static(function, input_spec=list(specs)).concrete_program


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    paddle.jit.save(linear(), "net", input_spec=[InputSpec([None, 3])])
    (tmp_path / "theirs.pdmodel").write_bytes(b"x")
    return tmp_path


MISTAKES = {
    "m_01_a_layer_of_an_open_length": (
        lambda: as_program(of_an_open_length, InputSpec([2, None])),
        ConversionError,
        "make it, or the Linear that has it, in __init__",
    ),
    "m_01_stored_in_an_array": (
        lambda: as_program(stored_in_an_array, InputSpec([3])),
        ConversionError,
        "a NumPy array can't hold a value that is computed when the Program runs; make a tensor",
    ),
    "m_01_input_specs": (
        lambda: paddle.jit.save(linear(), "m", input_specs=[]),
        ValueError,
        "no option input_specs; did you mean input_spec? it has input_spec, output_spec",
    ),
    "m_02_one_of_the_files": (lambda: paddle.jit.load("net.model.json"), ModelFileError, "write load('net')"),
    "m_02_another_of_them": (lambda: paddle.jit.load("net.params.safetensors"), ModelFileError, "write load('net')"),
    "m_02_no_folder": (
        lambda: paddle.jit.load("nowhere/model"),
        ModelFileError,
        "no model nowhere/model: there is no folder nowhere",
    ),
    "m_02_no_model": (
        lambda: paddle.jit.load("nte"),
        ModelFileError,
        "no model nte: there is no file nte, nor nte.info.json; in . there are: net",
    ),
    "m_02_a_file_of_paddle": (lambda: paddle.jit.load("theirs.pdmodel"), ModelFileError, "theirs.pdmodel is a file of Paddle's"),
    "m_02_beside_a_file_of_paddle": (lambda: paddle.jit.load("theirs"), ModelFileError, "theirs.pdmodel is a file of Paddle's"),
    "m_02_no_specs": (lambda: paddle.jit.save(lambda x: x, "m"), ValueError, "give an input_spec to to_static"),
    "m_02_too_few_specs": (
        lambda: paddle.jit.save(two, "m", input_spec=[InputSpec([3])]),
        TypeError,
        "two(x, y): missing a required argument: 'y'; input_spec has 1 entry",
    ),
    "m_03_a_tensor_of_another_library": (
        lambda: paddle.abs(Tensor()),
        TypeError,
        "x must be a Tensor, not torch.Tensor of another library; write to_tensor(x.numpy())",
    ),
    "m_03_an_optimizer_the_other_way_round": (
        lambda: paddle.optimizer.SGD(linear().parameters(), 0.1),
        TypeError,
        "SGD: the first argument is the learning rate, not list; write SGD(learning_rate=0.1, parameters=net.parameters())",
    ),
    "m_03_an_optimizer_of_a_layer": (
        lambda: paddle.optimizer.SGD(0.1, parameters=linear()),
        TypeError,
        "SGD: parameters must be a list of Tensors, not a Linear; write net.parameters()",
    ),
    "m_03_a_function_as_a_layer": (
        lambda: paddle.nn.Sequential(paddle.nn.functional.relu),
        TypeError,
        "not function; write its Layer, nn.ReLU() for F.relu, or call it in forward",
    ),
    "m_03_samples_of_other_shapes": (
        lambda: list(paddle.io.DataLoader([np.ones(2), np.ones(3)], batch_size=2)),
        ValueError,
        "the arrays of one batch have one shape, not [2] and [3]; pad them, or give a collate_fn that does",
    ),
    "m_03_a_spec_without_the_batch": (
        lambda: paddle.jit.to_static(linear(), input_spec=[InputSpec([3])])(X),
        ValueError,
        "its InputSpec says float32[3]: give the InputSpec 2 lengths, that of the batch included",
    ),
    "m_03_an_array": (
        lambda: linear()(np.ones((2, 3), "float32")),
        TypeError,
        "linear: x must be a Tensor, not ndarray; write to_tensor(x)",
    ),
    "m_03_an_optimizer_s_rate": (
        lambda: paddle.optimizer.Adam(lr=0.1, params=linear().parameters(), betas=(0.9, 0.99), eps=1e-6),
        TypeError,
        "write learning_rate for lr, as in Paddle; write parameters for params, as in Paddle; write epsilon for eps, "
        "as in Paddle; write beta1=a, beta2=b for betas=(a, b), as in Paddle",
    ),
    "m_03_a_layer_s_bias": (lambda: paddle.nn.Linear(3, 3, bias=False), TypeError, "write bias_attr for bias, as in Paddle"),
    "m_03_a_recurrent_layer": (
        lambda: paddle.nn.LSTM(3, 3, batch_first=True, bidirectional=True),
        TypeError,
        "write direction='bidirect' for bidirectional=True, as in Paddle",
    ),
    "m_03_softmax": (lambda: paddle.nn.functional.softmax(X, dim=1), TypeError, "'dim'; write axis for dim, as in Paddle"),
    "m_03_a_method": (
        lambda: X.mean(dim=1, keepdims=True),
        TypeError,
        "write axis for dim, as in Paddle; write keepdim for keepdims",
    ),
    "m_03_requires_grad": (
        lambda: paddle.ones([2], requires_grad=True),
        TypeError,
        "write x.stop_gradient = False for requires_grad",
    ),
    "m_03_a_decorated_class": (
        lambda: paddle.jit.to_static(paddle.nn.Linear),
        TypeError,
        "not the class Linear: decorate Linear.forward, or one object",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_to_write_is_said(name, folder):
    mistake, error, words = MISTAKES[name]
    with pytest.raises(error, match=re.escape(words)):
        mistake()


def test_m_03_what_plain_python_says_stays_without_a_better_name():
    with pytest.raises(TypeError, match="unexpected keyword argument 'nothing'$"):
        paddle.abs(X, nothing=1)


def files_of(caught):
    """The files that a traceback names; before Python 3.11 a re-raise adds a frame of dy2st's."""
    files = [Path(entry.path).name for entry in caught.traceback]
    return files if sys.version_info >= (3, 11) else [name for name in files if name not in RESIDUE]


def halves(x):
    return x.reshape([2, -1])


@pytest.mark.parametrize("length", [3, [3, 3]], ids=["when it runs", "before it runs"])
def test_m_04_errors_of_a_loaded_model_show_the_caller_and_no_frame_of_the_engine(length, tmp_path):
    paddle.jit.save(halves, str(tmp_path / "halves"), input_spec=[InputSpec([None])])
    loaded = paddle.jit.load(str(tmp_path / "halves"))
    with pytest.raises(ShapeError) as caught:
        loaded(paddle.ones(length))
    assert files_of(caught) == ["test_mistakes.py"]


def test_m_04_a_missing_model_shows_the_caller_only(tmp_path):
    with pytest.raises(ModelFileError) as caught:
        paddle.jit.load(str(tmp_path / "nothing"))
    assert files_of(caught) == ["test_mistakes.py"]
