"""`dy2st.callbacks`: what `Model.fit`, `evaluate` and `predict` tell how far they are. Re-exports only."""

from .hapi.callback import Callback
from .hapi.checkpoints import EarlyStopping, ModelCheckpoint
from .hapi.logger import ProgBarLogger
from .hapi.rates import LRScheduler

__all__ = ["Callback", "EarlyStopping", "LRScheduler", "ModelCheckpoint", "ProgBarLogger"]
