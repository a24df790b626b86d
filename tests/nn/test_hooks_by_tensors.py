"""Hooks around a layer whose answer only the Program knows: nothing on one path, another value on the other."""

import pytest

import dy2st as paddle
from dy2st.static import InputSpec


def nothing_or_tensor(layer, inputs, outputs=None):
    value = inputs[0] if outputs is None else outputs
    if value.sum() > 0:
        return value * 2


def nothing_or_tuple(layer, inputs, outputs=None):
    value = inputs[0] if outputs is None else outputs
    return (value * 2,) if value.sum() > 0 else None


def tensor_or_tuple(layer, inputs, outputs=None):
    value = inputs[0] if outputs is None else outputs
    return (value * 2,) if value.sum() > 0 else value - 1


def tuple_of_a_loop(layer, inputs, outputs=None):
    found = (inputs[0] if outputs is None else outputs,)
    while found[0].abs().sum() > 1:
        found = (found[0] / 2,)
    return found


def one_or_two(layer, inputs, outputs=None):
    value = inputs[0] if outputs is None else outputs
    return (value * 2, value) if value.sum() > 0 else (value,)


HOOKS = [nothing_or_tensor, nothing_or_tuple, tensor_or_tuple, tuple_of_a_loop, one_or_two]


class Scaled(paddle.nn.Layer):
    def forward(self, x, y=None):
        return x * 3 if y is None else x * 3 + y


class Net(paddle.nn.Layer):
    """The layer with the hook is inside; the result of the call goes on, or is returned."""

    def __init__(self, way, hook, used):
        super().__init__()
        self.inner, self.used = Scaled(), used
        getattr(self.inner, f"register_forward_{way}_hook")(hook)

    def forward(self, x):
        found = self.inner(x)
        if not self.used:
            return found
        return (found[0] if isinstance(found, tuple) else found) + 1


def numbers(found):
    return [numbers(part) for part in found] if isinstance(found, list | tuple) else found.numpy().tolist()


@pytest.mark.parametrize("used", [False, True], ids=["returned", "used"])
@pytest.mark.parametrize("way", ["pre", "post"])
@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook.__name__)
def test_what_a_hook_gives_takes_the_place_on_its_path_only(hook, way, used, tmp_path):
    calls = [paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([-1.0, -3.0]), paddle.to_tensor([0.25])]
    expected = [numbers(Net(way, hook, used)(x)) for x in calls]
    static = paddle.jit.to_static(Net(way, hook, used), input_spec=[InputSpec([None], "float32", "x")])
    assert [numbers(static(x)) for x in calls] == expected
    paddle.jit.save(static, str(tmp_path / "net"))
    assert [numbers(paddle.jit.load(str(tmp_path / "net"))(x)) for x in calls] == expected
