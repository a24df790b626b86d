"""Recurrent cells and networks."""

import numpy as np

from .case import array, call, integers, layer

X = array(3, 5, 4, seed=1)
LENGTHS = np.array([5, 2, 3])
STEP = array(3, 4, seed=2)
H, C = array(3, 6, seed=3), array(3, 6, seed=4)
FIRST = array(2, 3, 6, seed=5)

CASES = {
    "SimpleRNNCell": layer("nn.SimpleRNNCell", 4, 6, "relu")(STEP, H),
    "LSTMCell": layer("nn.LSTMCell", 4, 6)(STEP, (H, C)),
    "LSTMCell without states": layer("nn.LSTMCell", 4, 6)(STEP),
    "GRUCell": layer("nn.GRUCell", 4, 6)(STEP, H),
    "SimpleRNN": layer("nn.SimpleRNN", 4, 6, open=(0, 1))(X),
    "LSTM": layer("nn.LSTM", 4, 6, open=(0, 1))(X),
    "LSTM two layers": layer("nn.LSTM", 4, 6, 2, open=(0, 1))(X, (FIRST, array(2, 3, 6, seed=6))),
    "LSTM bidirectional": layer("nn.LSTM", 4, 6, 2, "bidirect", open=(0, 1))(X, None, LENGTHS),
    "LSTM of known lengths": layer("nn.LSTM", 4, 6, open=())(X, None, LENGTHS),
    "GRU": layer("nn.GRU", 4, 6, open=(0, 1))(X, None, LENGTHS),
    "GRU bidirectional": layer("nn.GRU", 4, 6, 1, "bidirectional", open=(0, 1))(X, FIRST),
    "GRU time major": layer("nn.GRU", 4, 6, 2, time_major=True, open=(0, 1))(X, None, integers(5, low=1, high=4)),
    "SimpleRNN relu": layer("nn.SimpleRNN", 4, 6, 1, activation="relu")(X, FIRST[:1]),
    "F.sequence_mask": call("nn.functional.sequence_mask", LENGTHS),
    "F.sequence_mask to a length": call("nn.functional.sequence_mask", LENGTHS, 4, "float32"),
    "F.label_smooth": call("nn.functional.label_smooth", STEP, epsilon=0.2),
    "F.label_smooth prior": call("nn.functional.label_smooth", STEP, array(1, 4), gradients=False),
    "F.temporal_shift": call("nn.functional.temporal_shift", array(4, 8, 2, 2), 2),
}
