"""Metrics over batches: by their definitions, and with the numbers that Paddle 3.3 gives."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import metric

PRED = dy2st.to_tensor([[0.1, 0.7, 0.2], [0.5, 0.2, 0.3]])
LABEL = dy2st.to_tensor([[2], [0]])


def test_accuracy():
    found = metric.Accuracy((1, 2))
    correct = found.compute(PRED, LABEL)
    assert correct.tolist() == [[0, 1], [1, 0]] and found.update(correct) == [0.5, 1.0]
    found.update(found.compute(PRED, dy2st.to_tensor([[0], [0]])))
    assert found.accumulate() == [0.5, 0.75] and found.name() == ["acc_top1", "acc_top2"]
    found.reset()
    assert found.accumulate() == [0.0, 0.0]
    one_hot = metric.Accuracy()
    assert one_hot.update(one_hot.compute(PRED, dy2st.to_tensor([[0, 1, 0], [0, 0, 1]]))) == 0.5
    assert metric.accuracy(PRED, LABEL, k=2).item() == 1.0


def test_accuracy_in_a_static_function():
    static = dy2st.jit.to_static(lambda x, y: metric.accuracy(x, y))
    assert static(PRED, LABEL).item() == 0.5


def test_precision_and_recall():
    preds, labels = np.array([0.1, 0.6, 0.8, 0.7]), np.array([0, 1, 1, 0])
    precision, recall = metric.Precision(), metric.Recall()
    precision.update(preds, labels)
    recall.update(preds, np.array([1, 1, 1, 0]))
    assert precision.accumulate() == recall.accumulate() == 2 / 3


def test_auc():
    found = metric.Auc()
    found.update(np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.7, 0.3]]), np.array([[0], [1], [1], [1]]))
    assert found.accumulate() == 1.0
    rng = np.random.default_rng(0)
    labels, scores = rng.integers(0, 2, 300), rng.random(300)
    found.reset()
    found.update(dy2st.to_tensor(np.stack([1 - scores, scores], 1)), dy2st.to_tensor(labels[:, None]))
    pairs = scores[labels == 1][:, None] - scores[labels == 0]
    assert found.accumulate() == pytest.approx((pairs > 0).mean(), abs=1e-3)
