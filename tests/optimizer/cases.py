"""Optimizers and schedulers as data; where Paddle is installed, `PYTHONPATH=. python tests/optimizer/cases.py` records it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

RECORDED = Path(__file__).with_name("recorded.json")
START = [np.random.default_rng(i).standard_normal((3, 2)).astype("float32") for i in range(2)]

OPTIMIZERS = {
    "Momentum nesterov": ("Momentum", {"learning_rate": 0.05, "use_nesterov": True}),
    "AdamW": ("AdamW", {"learning_rate": 0.1, "weight_decay": 0.1}),
    "Adagrad": ("Adagrad", {"learning_rate": 0.1, "initial_accumulator_value": 0.5}),
    "Adadelta": ("Adadelta", {"learning_rate": 0.5}),
    "RMSProp": ("RMSProp", {"learning_rate": 0.01}),
    "RMSProp centered": ("RMSProp", {"learning_rate": 0.01, "momentum": 0.5, "centered": True, "weight_decay": 0.1}),
    "Rprop": ("Rprop", {"learning_rate": 0.01, "learning_rate_range": (0.001, 0.02)}),
    "Adamax": ("Adamax", {"learning_rate": 0.1}),
    "NAdam": ("NAdam", {"learning_rate": 0.1}),
    "RAdam": ("RAdam", {"learning_rate": 0.1}),
    "Lamb": ("Lamb", {"learning_rate": 0.1, "lamb_weight_decay": 0.2}),
    "Lamb without decay": ("Lamb", {"learning_rate": 0.1, "lamb_weight_decay": 0.0}),
}

SCHEDULERS = {
    "NoamDecay": ((64, 4), {}),
    "PiecewiseDecay": (([2, 5], [0.3, 0.2, 0.1]), {}),
    "NaturalExpDecay": ((0.5, 0.1), {}),
    "InverseTimeDecay": ((0.5, 0.1), {}),
    "PolynomialDecay": ((0.5, 4), {"power": 2.0}),
    "PolynomialDecay cycle": ((0.5, 4), {"cycle": True}),
    "LinearWarmup": ((0.5, 3, 0.0, 0.4), {}),
    "ExponentialDecay": ((0.5, 0.9), {}),
    "MultiStepDecay": ((0.5, [2, 5]), {}),
    "StepDecay": ((0.5, 3), {"gamma": 0.5}),
    "LambdaDecay": ((0.5, lambda t: 0.9**t), {}),
    "MultiplicativeDecay": ((0.5, lambda t: 0.9), {}),
    "CosineAnnealingDecay": ((0.5, 4), {"eta_min": 0.1}),
    "CosineAnnealingWarmRestarts": ((0.5, 3, 2), {"eta_min": 0.1}),
    "OneCycleLR": ((0.5, 12), {}),
    "OneCycleLR three phases": ((0.5, 12), {"three_phase": True, "anneal_strategy": "linear"}),
    "CyclicLR": ((0.1, 0.5, 3), {"mode": "triangular2"}),
    "CyclicLR down": ((0.1, 0.5, 2, 3), {"mode": "exp_range", "exp_gamma": 0.9}),
    "LinearLR": ((0.5, 5), {}),
}
METRICS = [3.0, 2.0, 2.0, 2.0, 2.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]


def train(paddle, path, options, steps=6, decay=None) -> list:
    """The parameters after each step, and with a scheduler in `options`, what it says."""
    tensors = [paddle.nn.Layer().create_parameter([3, 2]) for _ in START]
    for tensor, start in zip(tensors, START):
        tensor.set_value(paddle.to_tensor(start))
    optimizer = getattr(paddle.optimizer, path)(parameters=tensors, **options)
    found = []
    for _ in range(steps):
        loss = ((tensors[0] * tensors[1]) ** 2).sum() + (tensors[0] - 1.0).abs().sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        found.append([t.numpy().tolist() for t in tensors])
    return found


def rates(paddle, name: str) -> list[float]:
    """The learning rates of the first twelve epochs."""
    args, options = SCHEDULERS[name]
    scheduler = getattr(paddle.optimizer.lr, name.split()[0])(*args, **options)
    found = []
    for _ in range(12):
        found.append(scheduler())
        scheduler.step()
    return found


def plateau(paddle) -> list[float]:
    scheduler = paddle.optimizer.lr.ReduceOnPlateau(0.5, factor=0.5, patience=1, cooldown=1)
    found = []
    for metric in METRICS:
        scheduler.step(metric)
        found.append(scheduler())
    return found


def regularized(paddle) -> list:
    """L1 decay of the whole optimizer, and a norm that is clipped."""
    options = {"learning_rate": 0.1, "weight_decay": paddle.regularizer.L1Decay(0.3)}
    return train(paddle, "Momentum", {**options, "grad_clip": paddle.nn.ClipGradByNorm(0.5)})


def everything(paddle) -> dict:
    return {
        **{name: train(paddle, *case) for name, case in OPTIMIZERS.items()},
        **{name: rates(paddle, name) for name in SCHEDULERS},
        "ReduceOnPlateau": plateau(paddle),
        "L1Decay": regularized(paddle),
    }


if __name__ == "__main__":
    import paddle

    RECORDED.write_text(json.dumps(everything(paddle), indent=0).replace("\n", " ") + "\n")
