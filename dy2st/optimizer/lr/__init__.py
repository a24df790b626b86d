"""Learning rates that change over time, under Paddle's names."""

from .cycles import CyclicLR, OneCycleLR, ReduceOnPlateau  # noqa: F401
from .decays import (  # noqa: F401
    CosineAnnealingDecay,
    CosineAnnealingWarmRestarts,
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    LinearLR,
    LinearWarmup,
    LRScheduler,
    MultiplicativeDecay,
    MultiStepDecay,
    NaturalExpDecay,
    NoamDecay,
    PiecewiseDecay,
    PolynomialDecay,
    StepDecay,
)
