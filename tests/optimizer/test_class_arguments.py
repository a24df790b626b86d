"""14.3: every argument of optimizers, schedulers, metrics, loaders and initializers does something, or stands in docs/api.md.

Each parameter is set to another value than its default; what the object does must differ, or it raises. The results themselves
were held against Paddle 3.3 in the same calls.
"""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from support.api_notes import WITHOUT_EFFECT

import dy2st as paddle
from dy2st import io, metric, nn
from dy2st.nn import initializer as init
from dy2st.optimizer import lr

# --- what is done with an object ---------------------------------------------------------------------------------------


def rates(scheduler):
    found = []
    for k in range(12):
        found.append(round(scheduler(), 7))
        scheduler.step(*([1.0 + 0.3 * (k % 4)] if isinstance(scheduler, lr.ReduceOnPlateau) else []))
    return found


def trained(cls):
    def run(**arguments):
        a, b = paddle.create_parameter([3], "float32"), paddle.create_parameter([2], "float32")
        a.set_value(np.array([1.0, -2.0, 3.0], "float32"))
        b.set_value(np.array([0.5, -1.0], "float32"))
        optimizer = cls(**{"learning_rate": 0.1, **arguments}, parameters=[a, b])
        for k in range(8):
            ((a**3).sum() * (k % 2 + 0.5) + (b * b).sum()).backward()
            optimizer.step()
            optimizer.clear_grad()
        return a.tolist() + b.tolist()

    return run


def measured(cls, *arguments):
    def run(**more):
        made = cls(**more)
        given = made.compute(*arguments).numpy() if hasattr(made, "compute") and cls is metric.Accuracy else arguments
        made.update(*(given if isinstance(given, tuple) else (given,)))
        return made.accumulate(), made.name()

    return run


class Rows(io.Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, i):
        return np.array([i], "float32")


def shown(batch):
    return [shown(part) for part in batch] if isinstance(batch, list | tuple) else np.asarray(batch).tolist()


def batches(**arguments):
    return shown(list(io.DataLoader(Rows(), **{"batch_size": 4, **arguments})))


def grouped(**arguments):
    return list(io.BatchSampler(**({} if "sampler" in arguments else {"dataset": Rows()}), **{"batch_size": 4, **arguments}))


def split(**arguments):
    sampler = io.DistributedBatchSampler(Rows(), **{"batch_size": 3, "num_replicas": 3, "rank": 0, **arguments})
    return list(sampler)


def started(cls):
    def run(**arguments):
        paddle.seed(3)
        return paddle.create_parameter([4, 6], "float32", default_initializer=cls(**arguments)).tolist()

    return run


# --- the arguments -----------------------------------------------------------------------------------------------------

SCORES, LABELS = np.array([[0.1, 0.5, 0.4], [0.7, 0.2, 0.1]], "float32"), np.array([[2], [0]])
CHANCES, TRUTHS = np.array([0.1, 0.6, 0.8, 0.3, 0.35], "float32"), np.array([0, 1, 0, 1, 0])
EPOCH = {"last_epoch": 3}
DECAY = {"learning_rate": 0.5, "gamma": 0.9}
SCHEDULERS = {
    lr.NoamDecay: ({"d_model": 64, "warmup_steps": 4}, {"learning_rate": 2.0, **EPOCH}),
    lr.PiecewiseDecay: ({"boundaries": [2, 5], "values": [1.0, 0.5, 0.1]}, EPOCH),
    lr.NaturalExpDecay: (DECAY, EPOCH),
    lr.InverseTimeDecay: (DECAY, EPOCH),
    lr.ExponentialDecay: (DECAY, EPOCH),
    lr.PolynomialDecay: ({"learning_rate": 0.5, "decay_steps": 5}, {"end_lr": 0.1, "power": 2.0, "cycle": True, **EPOCH}),
    lr.LinearWarmup: ({"learning_rate": 0.5, "warmup_steps": 4, "start_lr": 0.0, "end_lr": 0.5}, EPOCH),
    lr.MultiStepDecay: ({"learning_rate": 0.5, "milestones": [3, 6]}, {"gamma": 0.5, **EPOCH}),
    lr.StepDecay: ({"learning_rate": 0.5, "step_size": 3}, {"gamma": 0.5, **EPOCH}),
    lr.LambdaDecay: ({"learning_rate": 0.5, "lr_lambda": lambda k: 0.95**k}, EPOCH),
    lr.MultiplicativeDecay: ({"learning_rate": 0.5, "lr_lambda": lambda k: 0.95 - k / 100}, EPOCH),
    lr.CosineAnnealingDecay: ({"learning_rate": 0.5, "T_max": 5}, {"eta_min": 0.1, **EPOCH}),
    lr.CosineAnnealingWarmRestarts: ({"learning_rate": 0.5, "T_0": 3}, {"T_mult": 2, "eta_min": 0.1, "last_epoch": 4}),
    lr.LinearLR: ({"learning_rate": 0.5, "total_steps": 5}, {"start_factor": 0.5, "end_factor": 0.5, **EPOCH}),
    lr.ReduceOnPlateau: (
        {"learning_rate": 1.0, "patience": 1},
        {"mode": "max", "factor": 0.5, "patience": 3, "threshold": -0.9, "cooldown": 2, "min_lr": 0.5, "epsilon": 0.95},
    ),
    lr.OneCycleLR: (
        {"max_learning_rate": 1.0, "total_steps": 20},
        {"divide_factor": 5.0, "end_learning_rate": 0.01, "phase_pct": 0.5, "anneal_strategy": "linear", "three_phase": True,
         **EPOCH},
    ),
    lr.CyclicLR: (
        {"base_learning_rate": 0.1, "max_learning_rate": 1.0, "step_size_up": 3},
        {"step_size_down": 5, "mode": "triangular2", "scale_fn": lambda k: 0.5**k, **EPOCH},
    ),
}  # fmt: skip
CLIP, L1 = nn.ClipGradByNorm(0.1), paddle.regularizer.L1Decay(0.1)
ALL = {"learning_rate": 0.05, "grad_clip": CLIP}
MOMENTS = {"beta1": 0.5, "beta2": 0.5, "epsilon": 0.1, **ALL}
OPTIMIZERS = {
    "SGD": {**ALL, "weight_decay": L1},
    "Momentum": {**ALL, "weight_decay": 0.1, "momentum": 0.5, "use_nesterov": True, "rescale_grad": 0.5},
    "Adam": {**MOMENTS, "weight_decay": 0.1, "amsgrad": True},
    "AdamW": {
        **MOMENTS, "weight_decay": 0.5, "lr_ratio": lambda p: 0.5, "apply_decay_param_fun": lambda name: False, "amsgrad": True,
    },
    "Adamax": {**MOMENTS, "weight_decay": 0.1},
    "Adagrad": {**ALL, "epsilon": 0.1, "weight_decay": 0.1, "initial_accumulator_value": 0.5},
    "Adadelta": {**ALL, "epsilon": 0.1, "rho": 0.5, "weight_decay": 5.0},
    "RMSProp": {**ALL, "rho": 0.5, "epsilon": 0.1, "momentum": 0.5, "centered": True, "weight_decay": 0.1},
    "Lamb": {**MOMENTS, "lamb_weight_decay": 0.5, "exclude_from_weight_decay_fn": lambda p: True},
    "NAdam": {**MOMENTS, "momentum_decay": 0.1, "weight_decay": 0.1},
    "RAdam": {**MOMENTS, "weight_decay": 0.1},
    "Rprop": {"learning_rate": 0.05, "learning_rate_range": (0.09, 0.11), "etas": (0.3, 1.5)},
}  # fmt: skip
INITIALIZERS = {
    init.Constant: {"value": 2.0},
    init.Normal: {"mean": 1.0, "std": 2.0},
    init.TruncatedNormal: {"mean": 1.0, "std": 2.0, "a": -0.1, "b": 0.5},
    init.Uniform: {"low": -2.0, "high": 3.0},
    init.XavierNormal: {"fan_in": 9, "fan_out": 9, "gain": 3.0},
    init.XavierUniform: {"fan_in": 9, "fan_out": 9, "gain": 3.0},
    init.KaimingNormal: {"fan_in": 9, "nonlinearity": "tanh", "mode": "fan_out"},
    init.KaimingUniform: {"fan_in": 9, "nonlinearity": "tanh", "mode": "fan_out"},
    init.Orthogonal: {"gain": 3.0},
}
LOADER = {
    "batch_size": 3, "batch_sampler": io.BatchSampler(Rows(), batch_size=7), "drop_last": True, "collate_fn": len,
    "return_list": False, "shuffle": True,
}  # fmt: skip
CASES = [
    *((f"optimizer.lr.{c.__name__}", lambda c=c, b=b, **k: rates(c(**{**b, **k})), c, w) for c, (b, w) in SCHEDULERS.items()),
    *((f"optimizer.{n}", trained(getattr(paddle.optimizer, n)), getattr(paddle.optimizer, n), w) for n, w in OPTIMIZERS.items()),
    *((f"nn.initializer.{c.__name__}", started(c), c, ways) for c, ways in INITIALIZERS.items()),
    ("metric.Accuracy", measured(metric.Accuracy, *map(paddle.to_tensor, (SCORES, LABELS))), metric.Accuracy, {"topk": 2}),
    ("metric.Auc", measured(metric.Auc, np.stack([1 - CHANCES, CHANCES], 1), TRUTHS.reshape(-1, 1)), metric.Auc,
     {"num_thresholds": 2, "curve": "PR"}),
    ("io.DataLoader", batches, io.DataLoader, LOADER),
    ("io.BatchSampler", grouped, io.BatchSampler,
     {"sampler": io.SequenceSampler(range(6)), "shuffle": True, "batch_size": 3, "drop_last": True}),
    ("io.DistributedBatchSampler", split, io.DistributedBatchSampler,
     {"num_replicas": 2, "rank": 1, "shuffle": True, "batch_size": 2, "drop_last": True}),
]  # fmt: skip
# Without defaults that do anything, or together with others. Of a gradient, Rprop reads the sign, which no clipping changes.
APART = set(
    "grad_clip num_workers always_adapt parameters dataset name verbose scale_mode exp_gamma threshold_mode negative_slope "
    "self".split()
)


@pytest.mark.parametrize("name, run, cls, ways", CASES, ids=[case[0] for case in CASES])
def test_each_argument_does_something(name, run, cls, ways):
    before = run()
    for argument, value in ways.items():
        try:
            after = run(**{argument: value})
        except (ValueError, TypeError, NotImplementedError):
            continue  # refused
        assert after != before, f"{argument} of {name} changes nothing"


@pytest.mark.parametrize("name, run, cls, ways", CASES, ids=[case[0] for case in CASES])
def test_each_argument_is_tried_or_stands_in_the_table(name, run, cls, ways):
    needed = {p.name for p in inspect.signature(cls).parameters.values() if p.default is p.empty}
    without = {argument for argument in WITHOUT_EFFECT if argument}
    untried = set(inspect.signature(cls).parameters) - set(ways) - needed - without - APART
    assert not untried


def test_arguments_that_count_together_with_others():
    lamb = trained(paddle.optimizer.Lamb)
    assert lamb(lamb_weight_decay=0.0, always_adapt=True) != lamb(lamb_weight_decay=0.0)
    cyclic = {"base_learning_rate": 0.1, "max_learning_rate": 1.0, "step_size_up": 3}
    scaled = {**cyclic, "scale_fn": lambda k: 0.5**k}
    assert rates(lr.CyclicLR(**scaled, scale_mode="iterations")) != rates(lr.CyclicLR(**scaled))
    assert rates(lr.CyclicLR(**cyclic, mode="exp_range", exp_gamma=0.9)) != rates(lr.CyclicLR(**cyclic, mode="exp_range"))
    plateau = {"learning_rate": 1.0, "mode": "max", "patience": 0, "threshold": 0.25}
    assert rates(lr.ReduceOnPlateau(**plateau, threshold_mode="abs")) != rates(lr.ReduceOnPlateau(**plateau))
    leaky = {"nonlinearity": "leaky_relu"}
    assert started(init.KaimingNormal)(**leaky, negative_slope=2.0) != started(init.KaimingNormal)(**leaky)
