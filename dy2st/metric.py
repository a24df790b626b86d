"""`dy2st.metric`: how good predictions are, gathered over many batches, under Paddle's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .api.checks import need_tensor
from .api.compare import equal
from .api.manipulation import reshape
from .api.reduce import argmax, topk
from .errors import ShapeError
from .runtime.tensors.borrowed import own
from .runtime.tensors.tensor import Tensor
from .runtime.tensors.unfit import described

__all__ = ["Accuracy", "Auc", "Metric", "Precision", "Recall", "accuracy"]


class Metric:
    """Base of the metrics, also of the user's: `compute` gives what `update` takes in, `accumulate` says the result."""

    def reset(self) -> None:
        """Forget all batches. NotImplementedError: a class that doesn't define it, as the other methods."""
        raise NotImplementedError(f"{type(self).__name__} must define reset()")

    def update(self, *args: Any) -> Any:
        """Take a batch in: what `compute` gave. Some give the metric of this batch.

        NotImplementedError: a class that doesn't define it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define update()")

    def accumulate(self) -> Any:
        """The metric of all batches since `reset`. NotImplementedError: a class that doesn't define it."""
        raise NotImplementedError(f"{type(self).__name__} must define accumulate()")

    def name(self) -> Any:
        """What the result is called: a text, or a list of them. NotImplementedError: a class that doesn't define it."""
        raise NotImplementedError(f"{type(self).__name__} must define name()")

    def compute(self, *args: Any) -> Any:
        """What `update` takes, from predictions and labels: these themselves."""
        return args


def _best(pred: Tensor, label: Tensor, k: int) -> Tensor:
    """[..., k]: whether each of the k best classes of pred [..., C] is the label, which is one class or one-hot."""
    pred, label = own((pred, label))
    label = need_tensor("accuracy", label, "label")
    if label.type.rank == 1 or (label.type.rank == 2 and label.shape[-1] == 1):
        label = reshape(label, [-1, 1])
    elif label.shape[-1] != 1:
        label = argmax(label, axis=-1, keepdim=True)
    places = topk(need_tensor("accuracy", pred, "pred"), k)[1]
    return equal(places, label.astype(places.dtype)).astype("float32")


def accuracy(
    input: Tensor, label: Tensor, k: int = 1, correct: Any = None, total: Any = None, name: str | None = None
) -> Tensor:
    """The share of rows whose label is among the k largest of input [N, C]: a 0-d float32 tensor.

    label: integers [N, 1] or [N], or one-hot [N, C]. `correct` and `total` have no effect.

    >>> dy2st.metric.accuracy(dy2st.to_tensor([[0.1, 0.9], [0.8, 0.2]]), dy2st.to_tensor([[1], [1]])).item()
    0.5
    """
    return _best(input, label, k).sum(-1).mean()


def _numbers(metric: str, what: str, given: Any) -> np.ndarray:
    """An argument of `update` as an array. TypeError: it holds no numbers."""
    found = np.asarray(given)
    if found.dtype.kind in "OUSmM":
        raise TypeError(f"{metric}.update: {what} must be a Tensor or an array of numbers, not {described(given)}")
    return found


class Accuracy(Metric):
    """The share of samples whose label is among the k best classes, for each k of `topk`."""

    def __init__(self, topk: Sequence[int] = (1,), name: str | None = None):
        self.topk = tuple(topk)
        self.maxk = max(self.topk)
        self.total: list[float] = []
        self.count: list[int] = []
        name = name or "acc"
        self._name = [name] if self.maxk == 1 else [f"{name}_top{k}" for k in self.topk]
        self.reset()

    def compute(self, pred: Tensor, label: Tensor, *args: Any) -> Tensor:
        """[..., maxk]: whether each of the best classes of pred [..., C] is the label."""
        return _best(pred, label, self.maxk)

    def update(self, correct: Any, *args: Any) -> Any:
        """Take in what `compute` gave; the accuracy of this batch."""
        found = _numbers("Accuracy", "correct", correct)
        if found.ndim == 0:
            raise ShapeError("Accuracy.update: correct is [..., k], what compute gave, not one number")
        samples = int(np.prod(found.shape[:-1]))
        hits = [float(found[..., :k].sum()) for k in self.topk]
        self.total = [t + h for t, h in zip(self.total, hits)]
        self.count = [c + samples for c in self.count]
        return self._each([h / samples for h in hits])

    def reset(self) -> None:
        self.total, self.count = [0.0] * len(self.topk), [0] * len(self.topk)

    def accumulate(self) -> Any:
        return self._each([t / c if c else 0.0 for t, c in zip(self.total, self.count)])

    def _each(self, values: list) -> Any:
        return values[0] if len(self.topk) == 1 else values

    def name(self) -> list[str]:
        return self._name


class _Hits(Metric):
    """Counts of a yes-or-no prediction; subclasses say what they divide the right ones by."""

    def __init__(self, name: str):
        self._name = name
        self.reset()

    def reset(self) -> None:
        self.right = self.of = 0

    def _counted(self, preds: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
        metric = type(self).__name__
        said, true = (_numbers(metric, name, given).reshape(-1) for name, given in (("preds", preds), ("labels", labels)))
        if said.size != true.size:
            raise ShapeError(f"{metric}.update: there are {said.size} predictions, but {true.size} labels")
        return np.floor(said + 0.5) == 1, true == 1

    def accumulate(self) -> float:
        return self.right / self.of if self.of else 0.0

    def name(self) -> str:
        return self._name


class Precision(_Hits):
    """Of the samples that are predicted to be 1 (a probability of 0.5 or more), the share that is.

    update(preds, labels): arrays [N].
    """

    def __init__(self, name: str = "precision"):
        super().__init__(name)

    def update(self, preds: Any, labels: Any) -> None:
        said, true = self._counted(preds, labels)
        self.right += int((said & true).sum())
        self.of += int(said.sum())


class Recall(_Hits):
    """Of the samples that are 1, the share that is predicted to be.

    update(preds, labels): arrays [N] of probabilities and of 0 and 1.
    """

    def __init__(self, name: str = "recall"):
        super().__init__(name)

    def update(self, preds: Any, labels: Any) -> None:
        said, true = self._counted(preds, labels)
        self.right += int((said & true).sum())
        self.of += int(true.sum())


class Auc(Metric):
    """The area under the ROC curve, from predictions [N, 2] (of 0 and of 1) in `num_thresholds` + 1 steps, and labels [N, 1].

    ValueError: a `curve` but "ROC".
    """

    def __init__(self, curve: str = "ROC", num_thresholds: int = 4095, name: str = "auc"):
        if curve != "ROC":
            raise ValueError(f"Auc: curve is 'ROC', not {curve!r}")
        self._thresholds, self._name = num_thresholds, name
        self.reset()

    def reset(self) -> None:
        self._positive, self._negative = (np.zeros(self._thresholds + 1) for _ in range(2))

    def update(self, preds: Any, labels: Any) -> None:
        said, true = _numbers("Auc", "preds", preds), _numbers("Auc", "labels", labels).reshape(-1).astype(bool)
        if said.ndim != 2 or said.shape[-1] != 2 or len(said) != true.size:
            raise ShapeError(f"Auc.update: preds is [N, 2], the probabilities of 0 and of 1 for N labels, not {list(said.shape)}")
        steps = (said[:, 1] * self._thresholds).astype("int64")
        np.add.at(self._positive, steps[true], 1.0)
        np.add.at(self._negative, steps[~true], 1.0)

    def accumulate(self) -> float:
        up, right = (np.concatenate([[0.0], np.cumsum(counts[::-1])]) for counts in (self._positive, self._negative))
        area = float(np.sum(np.diff(right) * (up[1:] + up[:-1]) / 2))
        return area / (up[-1] * right[-1]) if up[-1] and right[-1] else 0.0

    def name(self) -> str:
        return self._name
