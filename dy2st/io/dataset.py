"""Data sets: by index, or one sample after the other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any

from ..ops.random import GENERATOR


class Dataset:
    """Samples by index: subclasses define `__getitem__(index)` and `__len__()`."""

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError(f"{type(self).__name__} must define __getitem__(index)")

    def __len__(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} must define __len__()")


class IterableDataset(Dataset):
    """Samples one after the other: subclasses define `__iter__()`."""

    def __iter__(self) -> Iterator:
        raise NotImplementedError(f"{type(self).__name__} must define __iter__()")

    def __getitem__(self, index: int) -> Any:
        raise RuntimeError(f"{type(self).__name__} is read one sample after the other, not by index")

    def __len__(self) -> int:
        raise RuntimeError(f"{type(self).__name__} is read one sample after the other; its length isn't known")


class TensorDataset(Dataset):
    """Sample i is a tuple of element i of each of `tensors`, whose first axes have one length: ValueError for others."""

    def __init__(self, tensors: Sequence):
        lengths = {t.shape[0] for t in tensors}
        if len(lengths) > 1:
            raise ValueError(f"TensorDataset: the first axes of the tensors have different lengths: {sorted(lengths)}")
        self.tensors = tensors

    def __getitem__(self, index: int) -> tuple:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]


class ComposeDataset(Dataset):
    """The `datasets`, of one length, side by side: the fields of all their samples in one. ValueError: lengths that differ."""

    def __init__(self, datasets: Sequence[Dataset]):
        self.datasets = list(datasets)
        if len({len(d) for d in self.datasets}) != 1:
            raise ValueError("ComposeDataset takes one or more data sets of the same length")

    def __getitem__(self, index: int) -> tuple:
        samples = [d[index] for d in self.datasets]
        return tuple(chain.from_iterable(s if isinstance(s, (list, tuple)) else [s] for s in samples))

    def __len__(self) -> int:
        return len(self.datasets[0])


class ChainDataset(IterableDataset):
    """The samples of one iterable data set of `datasets` after those of another."""

    def __init__(self, datasets: Sequence[IterableDataset]):
        self.datasets = list(datasets)

    def __iter__(self) -> Iterator:
        return chain.from_iterable(self.datasets)


class ConcatDataset(Dataset):
    """The `datasets` one behind the other. ValueError: there is none, or, when it is read, an index outside."""

    def __init__(self, datasets: Iterable[Dataset]):
        self.datasets = list(datasets)
        if not self.datasets:
            raise ValueError("ConcatDataset takes one or more data sets")
        self.cumulative_sizes = list(accumulate(map(len, self.datasets)))

    def __getitem__(self, index: int) -> Any:
        if not -len(self) <= index < len(self):
            raise ValueError(f"ConcatDataset: the index {index} is outside its {len(self)} samples")
        index %= len(self)
        at = next(k for k, end in enumerate(self.cumulative_sizes) if index < end)
        return self.datasets[at][index - (self.cumulative_sizes[at - 1] if at else 0)]

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]


class Subset(Dataset):
    """The samples of `dataset` with these `indices`."""

    def __init__(self, dataset: Dataset, indices: Sequence[int]):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: int) -> Any:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Dataset, lengths: Sequence[float], generator: Any = None) -> list[Subset]:
    """Subsets of these lengths, or shares that add up to 1, with every sample of `dataset` in one of them, drawn at random.

    lengths: ints, or floats. Gives a list of Subsets. `generator` has no effect: `dy2st.seed` rules all. ValueError: lengths that
    don't add up.
    """
    total = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        counts = [math.floor(total * share) for share in lengths]
        rest = total - sum(counts)
        counts = [c + rest // len(counts) + (i < rest % len(counts)) for i, c in enumerate(counts)]
    else:
        counts = [int(n) for n in lengths]
    if sum(counts) != total:
        raise ValueError(f"random_split: the lengths {list(lengths)} don't add up to the {total} samples")
    order = GENERATOR.rng.permutation(total).tolist()
    return [Subset(dataset, order[end - count : end]) for count, end in zip(counts, accumulate(counts))]
