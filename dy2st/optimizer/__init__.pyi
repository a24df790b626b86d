"""The names of dy2st.optimizer. Written by `python tests/support/stubs.py`."""

from dy2st.optimizer import adam as adam
from dy2st.optimizer import adaptive as adaptive
from dy2st.optimizer import lr as lr
from dy2st.optimizer import moments as moments
from dy2st.optimizer import optimizer as optimizer
from dy2st.optimizer import recorded as recorded
from dy2st.optimizer import sgd as sgd
from dy2st.optimizer.adam import Adam as Adam
from dy2st.optimizer.adam import AdamW as AdamW
from dy2st.optimizer.adaptive import Adadelta as Adadelta
from dy2st.optimizer.adaptive import Adagrad as Adagrad
from dy2st.optimizer.adaptive import RMSProp as RMSProp
from dy2st.optimizer.adaptive import Rprop as Rprop
from dy2st.optimizer.moments import Adamax as Adamax
from dy2st.optimizer.moments import Lamb as Lamb
from dy2st.optimizer.moments import NAdam as NAdam
from dy2st.optimizer.moments import RAdam as RAdam
from dy2st.optimizer.optimizer import Optimizer as Optimizer
from dy2st.optimizer.sgd import Momentum as Momentum
from dy2st.optimizer.sgd import SGD as SGD
