"""The names of dy2st.optimizer.lr. Written by `python tests/support/stubs.py`."""

from dy2st.optimizer.lr import cycles as cycles
from dy2st.optimizer.lr import decays as decays
from dy2st.optimizer.lr.cycles import CyclicLR as CyclicLR
from dy2st.optimizer.lr.cycles import OneCycleLR as OneCycleLR
from dy2st.optimizer.lr.cycles import ReduceOnPlateau as ReduceOnPlateau
from dy2st.optimizer.lr.decays import CosineAnnealingDecay as CosineAnnealingDecay
from dy2st.optimizer.lr.decays import CosineAnnealingWarmRestarts as CosineAnnealingWarmRestarts
from dy2st.optimizer.lr.decays import ExponentialDecay as ExponentialDecay
from dy2st.optimizer.lr.decays import InverseTimeDecay as InverseTimeDecay
from dy2st.optimizer.lr.decays import LRScheduler as LRScheduler
from dy2st.optimizer.lr.decays import LambdaDecay as LambdaDecay
from dy2st.optimizer.lr.decays import LinearLR as LinearLR
from dy2st.optimizer.lr.decays import LinearWarmup as LinearWarmup
from dy2st.optimizer.lr.decays import MultiStepDecay as MultiStepDecay
from dy2st.optimizer.lr.decays import MultiplicativeDecay as MultiplicativeDecay
from dy2st.optimizer.lr.decays import NaturalExpDecay as NaturalExpDecay
from dy2st.optimizer.lr.decays import NoamDecay as NoamDecay
from dy2st.optimizer.lr.decays import PiecewiseDecay as PiecewiseDecay
from dy2st.optimizer.lr.decays import PolynomialDecay as PolynomialDecay
from dy2st.optimizer.lr.decays import StepDecay as StepDecay
