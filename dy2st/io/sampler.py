"""In which order samples are read, and in which batches: iterables of indices, and of lists of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..ops.random import GENERATOR
from .dataset import IterableDataset


class Sampler:
    """Base of the samplers, also of the user's, who define `__iter__()`. data_source: what is read, a data set, or None."""

    def __init__(self, data_source: Any = None):
        self.data_source = data_source

    def __iter__(self) -> Iterator:
        raise NotImplementedError(f"{type(self).__name__} must define __iter__()")


class SequenceSampler(Sampler):
    """0, 1, 2 ... up to the length of `data_source`."""

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


def _count(owner: Any, value: Any, what: str = "num_samples") -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ValueError(f"{type(owner).__name__}: {what} must be a positive int, not {value!r}")
    return value


class RandomSampler(Sampler):
    """Indices of `data_source` in an order drawn anew each time; with `replacement` an index can come again.

    num_samples: how many, all where None. generator: an iterator that gives them instead. ValueError: no positive int, or more
    than there are without replacement.
    """

    def __init__(
        self, data_source: Any, replacement: bool = False, num_samples: int | None = None, generator: Iterator | None = None
    ):
        super().__init__(data_source)
        self.replacement, self.generator = replacement, generator
        self.num_samples = _count(self, len(data_source) if num_samples is None else num_samples)
        if not replacement and self.num_samples > len(data_source):
            raise ValueError(f"RandomSampler: {num_samples} samples of {len(data_source)} take replacement=True")

    def __iter__(self) -> Iterator[int]:
        if self.generator is not None:
            return (index for _, index in zip(range(self.num_samples), self.generator))
        n = len(self.data_source)
        return iter(GENERATOR.rng.choice(n, self.num_samples, replace=self.replacement).tolist())

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """These `indices`, in an order drawn anew each time. ValueError: there are none."""

    def __init__(self, indices: Sequence[int]):
        super().__init__()
        if not len(indices):
            raise ValueError("SubsetRandomSampler takes one or more indices")
        self.indices = indices

    def __iter__(self) -> Iterator[int]:
        return (self.indices[i] for i in GENERATOR.rng.permutation(len(self.indices)).tolist())

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Indices drawn with chances in proportion to `weights`, numbers that aren't negative.

    num_samples: how many. replacement: whether an index can come again. ValueError: other weights, or no positive int.
    """

    def __init__(self, weights: Any, num_samples: int, replacement: bool = True):
        super().__init__()
        self.weights = np.asarray(weights, "float64")
        if self.weights.ndim != 1 or (self.weights < 0).any() or not self.weights.sum():
            raise ValueError("WeightedRandomSampler takes weights of one axis, none of them negative and not all 0")
        self.num_samples, self.replacement = _count(self, num_samples), replacement

    def __iter__(self) -> Iterator[int]:
        chances = self.weights / self.weights.sum()
        return iter(GENERATOR.rng.choice(len(chances), self.num_samples, self.replacement, chances).tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of `batch_size` indices, from a sampler or of a data set; a shorter one at the end only where not `drop_last`.

    dataset: whose indices are read, in a new order each time with `shuffle`; or sampler: an iterable of indices. ValueError: both
    or none of them, a shuffle of a sampler, a batch_size that isn't a positive int. TypeError: an IterableDataset.
    """

    def __init__(
        self, dataset: Any = None, sampler: Iterable | None = None, shuffle: bool = False, batch_size: int = 1,
        drop_last: bool = False,
    ):  # fmt: skip
        super().__init__(dataset)
        if (dataset is None) == (sampler is None):
            raise ValueError("BatchSampler takes either a dataset or a sampler")
        if isinstance(dataset, IterableDataset):
            raise TypeError("BatchSampler takes a data set with indices, not an IterableDataset")
        if sampler is not None and shuffle:
            raise ValueError("BatchSampler: shuffle goes with a dataset; a sampler has its own order")
        self.sampler: Any = sampler if sampler is not None else (RandomSampler if shuffle else SequenceSampler)(dataset)
        self.batch_size, self.shuffle, self.drop_last = _count(self, batch_size, "batch_size"), shuffle, drop_last

    def __iter__(self) -> Iterator[list]:
        return batches(self.sampler, self.batch_size, self.drop_last)

    def __len__(self) -> int:
        return (len(self.sampler) + (0 if self.drop_last else self.batch_size - 1)) // self.batch_size


def batches(items: Iterable, size: int, drop_last: bool) -> Iterator[list]:
    """Lists of `size` items, the last one perhaps shorter."""
    found: list = []
    for item in items:
        found.append(item)
        if len(found) == size:
            yield found
            found = []
    if found and not drop_last:
        yield found


class DistributedBatchSampler(BatchSampler):
    """The batches of process `rank` of `num_replicas`: every so many of the indices, filled up from the start.

    rank, num_replicas: 0 and 1 where None. dataset, batch_size, shuffle, drop_last and errors as in `BatchSampler`. ValueError: a
    num_replicas that isn't a positive int.
    """

    def __init__(
        self, dataset: Any, batch_size: int, num_replicas: int | None = None, rank: int | None = None, shuffle: bool = False,
        drop_last: bool = False,
    ):  # fmt: skip
        super().__init__(dataset, None, False, batch_size, drop_last)
        self.shuffle, self.epoch = shuffle, 0
        self.nranks = 1 if num_replicas is None else _count(self, num_replicas, "num_replicas")
        self.local_rank = 0 if rank is None else rank
        self.num_samples = math.ceil(len(dataset) / self.nranks)

    def set_epoch(self, epoch: int) -> None:
        """Let the order of a shuffled sampler follow from the number `epoch`."""
        self.epoch = epoch

    def _indices(self) -> list[int]:
        """Whole batches go to one process after the other; what is left at the end is divided evenly."""
        n = len(self.data_source)
        order = np.random.RandomState(self.epoch).permutation(n).tolist() if self.shuffle else list(range(n))
        order += order[: self.num_samples * self.nranks - n]
        step = self.batch_size * self.nranks
        rest = len(order) % step
        whole, left = order[: len(order) - rest], order[len(order) - rest :]
        mine = [i for k, i in enumerate(whole) if k % step // self.batch_size == self.local_rank]
        share = rest // self.nranks
        return mine + left[self.local_rank * share : (self.local_rank + 1) * share]

    def __iter__(self) -> Iterator[list]:
        found = batches(self._indices(), self.batch_size, self.drop_last)
        self.epoch += self.shuffle
        return found

    def __len__(self) -> int:
        return (self.num_samples + (0 if self.drop_last else self.batch_size - 1)) // self.batch_size
