"""What a group of parameters sets holds for its parameters, as if they had an optimizer of their own; nothing is ignored."""

from __future__ import annotations

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st import nn, optimizer
from dy2st.regularizer import L1Decay, L2Decay

CLASSES = {
    optimizer.SGD: {},
    optimizer.Momentum: {"momentum": 0.3, "use_nesterov": True, "rescale_grad": 0.5},
    optimizer.Adam: {"beta1": 0.3, "beta2": 0.5, "epsilon": 0.5},
    optimizer.AdamW: {"beta1": 0.3, "beta2": 0.5, "epsilon": 0.5},
    optimizer.Adamax: {"beta1": 0.3, "beta2": 0.5, "epsilon": 0.5},
    optimizer.NAdam: {"beta1": 0.3, "beta2": 0.5, "epsilon": 0.5, "momentum_decay": 0.5},
    optimizer.RAdam: {"beta1": 0.3, "beta2": 0.5, "epsilon": 0.5},
    optimizer.Lamb: {"beta1": 0.3, "beta2": 0.5, "epsilon": 0.5, "lamb_weight_decay": 0.5},
    optimizer.Adagrad: {"epsilon": 0.5},
    optimizer.Adadelta: {"epsilon": 0.5, "rho": 0.3},
    optimizer.RMSProp: {"epsilon": 0.5, "rho": 0.3, "momentum": 0.5, "centered": True},
    optimizer.Rprop: {"etas": (0.3, 1.5), "learning_rate_range": (0.01, 0.2)},
}
CLIPS = {"grad_clip": nn.ClipGradByNorm(0.01)}
GRID = sampled(
    [
        pytest.param(cls, name, value, id=f"{cls.__name__}-{name}")
        for cls, own in CLASSES.items()
        for name, value in {**own, **CLIPS}.items()
    ],
    20,
)


def parameter():
    made = paddle.create_parameter([3], "float32")
    made.set_value(np.array([1.0, -2.0, 3.0], "float32"))
    return made


def trained(make, parameters, static=False):
    opt = make(parameters)

    def step(scale):
        sum((p**3).sum() * scale for p in parameters).backward()
        opt.step()
        opt.clear_grad()

    call = paddle.jit.to_static(step) if static else step
    for k in range(6):
        call(paddle.to_tensor(k % 2 + 0.5))
    return [p.tolist() for p in parameters]


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.long
@pytest.mark.parametrize("cls, name, value", GRID)
def test_a_group_is_as_an_optimizer_of_its_own(cls, name, value, static):
    groups = lambda ps: cls(learning_rate=0.1, parameters=[{"params": ps[:1], name: value}, {"params": ps[1:]}])  # noqa: E731
    own = trained(lambda ps: cls(learning_rate=0.1, parameters=ps, **{name: value}), [parameter()])
    rest = trained(lambda ps: cls(learning_rate=0.1, parameters=ps), [parameter()])
    np.testing.assert_allclose(trained(groups, [parameter(), parameter()], static), own + rest, rtol=1e-6)
    if not (cls is optimizer.Rprop and name == "grad_clip"):  # which follows the gradient's sign alone
        assert own != rest


@pytest.mark.parametrize("cls", CLASSES)
def test_a_key_that_no_group_has_is_refused(cls):
    for key in ("learning_rat", "lr", "betas", "parameters"):
        with pytest.raises(TypeError, match=f"can't set '{key}'; it can set learning_rate, weight_decay, grad_clip"):
            cls(learning_rate=0.1, parameters=[{"params": [parameter()], key: 1.0}])


def test_values_of_a_group_are_checked():
    def adam(cls=optimizer.Adam, **group):
        return lambda: cls(0.1, parameters=[{"params": [parameter()], **group}])

    for make, error, words in (
        (adam(beta1=2.0), ValueError, "beta1 must be in"),
        (adam(grad_clip=1.0), TypeError, "grad_clip must be a nn.ClipGradBy"),
        (adam(optimizer.AdamW, weight_decay=L1Decay(0.1)), TypeError, "AdamW: weight_decay must be a number, not L1Decay"),
        (lambda: optimizer.Adam(parameters=[{"param": [parameter()]}]), TypeError, "a dict with 'params'"),
    ):
        with pytest.raises(error, match=words):
            make()


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("kind", [L1Decay, L2Decay])
def test_a_regularizer_of_a_parameters_own_is_added_to_its_gradient_by_adamw_too(kind, static):
    regular, plain = parameter(), parameter()
    regular.regularizer = kind(0.5)

    def step():
        regular.sum().backward()
        (plain + 0.5 * (plain.abs() if kind is L1Decay else plain * plain / 2)).sum().backward()
        opt.step()
        opt.clear_grad()

    opt = optimizer.AdamW(0.1, parameters=[regular, plain], weight_decay=0.3)
    call = paddle.jit.to_static(step) if static else step
    for _ in range(3):
        call()
    np.testing.assert_allclose(regular.numpy(), plain.numpy(), rtol=1e-6)
