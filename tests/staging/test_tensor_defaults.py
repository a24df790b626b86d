"""A tensor that is a parameter's default is the function's, as its globals are: an argument only where one is given."""

import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.static import InputSpec

X, Y = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([7.0])


class Shift(nn.Layer):
    def forward(self, x, y=paddle.to_tensor([3.0]), w=0.5):  # noqa: B008
        return x * w + y


def test_e_09_a_loaded_model_has_its_tensor_defaults(tmp_path):
    net = jit.to_static(Shift(), input_spec=[InputSpec([2])])
    jit.save(net, tmp_path / "m")
    assert net(X).tolist() == jit.load(tmp_path / "m")(X).tolist() == [3.5, 4.0]


def test_e_09_another_tensor_in_the_place_of_a_default_is_refused_by_its_name(tmp_path):
    jit.save(jit.to_static(Shift(), input_spec=[InputSpec([2])]), tmp_path / "m")
    loaded = jit.load(tmp_path / "m")
    assert loaded(X, w=0.5).tolist() == [3.5, 4.0]
    for call in (lambda: loaded(X, Y), lambda: loaded(X, y=Y), lambda: loaded(X, Y, 0.5)):
        with pytest.raises(ValueError, match="argument y can't be given, .* save the model with an InputSpec for y"):
            call()
    with pytest.raises(ValueError, match="argument w is 0.75; the model was saved with the constant 0.5"):
        loaded(X, w=0.75)


def test_e_09_a_function_in_place_of_the_saved_one_is_refused(tmp_path):
    def scaled(x, how):
        return x * how(2.0)

    jit.save(jit.to_static(scaled, input_spec=[InputSpec([2]), abs]), tmp_path / "m")
    for other in (3, round, abs):
        with pytest.raises(ValueError, match="argument how can't be given, since the file doesn't hold the builtin_function"):
            jit.load(tmp_path / "m")(X, other)
    assert jit.load(tmp_path / "m")(X).tolist() == scaled(X, abs).tolist()


def test_e_09_a_call_gives_another_one():
    net = jit.to_static(Shift())
    assert net(X).tolist() == [3.5, 4.0]
    assert net(X, Y).tolist() == net(X, y=Y).tolist() == [7.5, 8.0]
    assert net(X, w=2.0).tolist() == [5.0, 7.0]
    assert net(X).tolist() == [3.5, 4.0]


def test_what_comes_after_a_default_that_stays_keeps_its_name():
    def function(x, kept=[], w=0.5):  # noqa: B006
        kept.append(x)
        return x * w + len(kept)

    static = jit.to_static(function)
    assert [static(X).tolist() for _ in range(2)] == [[1.5, 2.0], [2.5, 3.0]]


def test_a_default_is_written_in_place():
    def function(x, seen=paddle.zeros([2])):  # noqa: B008
        seen.add_(x)
        return seen * 1

    static = jit.to_static(function)
    assert [static(X).tolist() for _ in range(2)] == [[1.0, 2.0], [2.0, 4.0]]
