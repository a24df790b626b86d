"""DataLoader: batches of samples, put together field by field. Everything is read in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np

from ..api.joining import stack
from ..runtime.tensors.borrowed import is_foreign
from ..runtime.tensors.tensor import Tensor
from .dataset import IterableDataset
from .sampler import BatchSampler, batches


def default_collate_fn(batch: Sequence) -> Any:
    """One sample of many, the list `batch`: arrays and tensors stacked, numbers in an array, texts in a list.

    Dicts and lists come field by field. ValueError: arrays of different shapes. RuntimeError: samples with different numbers of
    fields. TypeError: a field of another kind.
    """
    first = batch[0]
    if isinstance(first, np.ndarray):
        if shapes := {sample.shape for sample in batch} - {first.shape}:
            raise ValueError(
                f"the arrays of one batch have one shape, not {list(first.shape)} and {list(min(shapes))}; pad them, or give a "
                "collate_fn that does"
            )
        return np.stack(batch)
    if isinstance(first, Tensor) or is_foreign(first):
        return stack(list(batch))
    if isinstance(first, (Number, np.generic)):
        return np.array(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate_fn([sample[key] for sample in batch]) for key in first}
    if isinstance(first, Sequence):
        if len({len(sample) for sample in batch}) > 1:
            raise RuntimeError("samples of one batch have different numbers of fields")
        return [default_collate_fn(fields) for fields in zip(*batch)]
    kind = type(first).__name__
    raise TypeError(f"samples hold tensors, arrays, numbers, texts, dicts and lists, not {kind}: give a collate_fn")


def default_convert_fn(batch: Any) -> Any:
    """A sample that is not batched, `batch`, as it is."""
    return batch


def get_worker_info() -> None:
    """None: samples are read in the main process."""
    return


def _tensors(batch: Any) -> Any:
    """The arrays of a batch as tensors."""
    if isinstance(batch, np.ndarray) and batch.dtype.kind in "biufc":
        return Tensor(batch)
    if isinstance(batch, Mapping):
        return {key: _tensors(part) for key, part in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [_tensors(part) for part in batch]
    return batch


class DataLoader:
    """Batches of a data set, as often as it is iterated.

    dataset: a `Dataset`, or an `IterableDataset`. batch_size: None gives single samples. shuffle: a new order each time.
    drop_last: leave out a batch that is shorter. batch_sampler: says the indices of each batch, in place of these three.
    collate_fn: makes one batch of a list of samples, `default_collate_fn` where None; arrays in it become tensors.

    `num_workers` and what goes with it (`use_buffer_reader`, `reader_buffer_size`, `prefetch_factor`, `use_shared_memory`,
    `timeout`, `worker_init_fn`, `persistent_workers`), `feed_list` and `places` have no effect: samples are read in this process,
    in the same order. ValueError: return_list=False, a batch_sampler beside one of these three, or a shuffle of an
    IterableDataset.

    >>> data = dy2st.io.TensorDataset([dy2st.arange(5)])
    >>> [batch[0].tolist() for batch in dy2st.io.DataLoader(data, batch_size=2)]
    [[0, 1], [2, 3], [4]]
    """

    def __init__(
        self, dataset: Any, feed_list: Any = None, places: Any = None, return_list: bool = True, batch_sampler: Any = None,
        batch_size: int | None = 1, shuffle: bool = False, drop_last: bool = False, collate_fn: Callable | None = None,
        num_workers: int = 0, use_buffer_reader: bool = True, reader_buffer_size: int = 2, prefetch_factor: int = 2,
        use_shared_memory: bool = True, timeout: int = 0, worker_init_fn: Callable | None = None,
        persistent_workers: bool = False,
    ):  # fmt: skip
        if not return_list:
            raise ValueError("DataLoader: return_list=False is for static graphs; batches are lists")
        if batch_sampler is not None and (batch_size != 1 or shuffle or drop_last):
            raise ValueError("DataLoader: batch_size, shuffle and drop_last are up to the batch_sampler, where one is given")
        self.dataset, self.batch_sampler, self.batch_size = dataset, batch_sampler, batch_size
        self.num_workers, self.drop_last, self.return_list = num_workers, drop_last, return_list
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable and (shuffle or batch_sampler is not None):
            raise ValueError("DataLoader: an IterableDataset has its own order; it takes no shuffle and no batch_sampler")
        if batch_sampler is None and batch_size is not None and not self._iterable:
            self.batch_sampler = BatchSampler(dataset, None, shuffle, batch_size, drop_last)
        whole = self.batch_sampler is None and batch_size is None
        self.collate_fn = collate_fn or (default_convert_fn if whole else default_collate_fn)

    def _batches(self) -> Iterator:
        if self._iterable:
            samples = iter(self.dataset)
            return samples if self.batch_size is None else batches(samples, self.batch_size, self.drop_last)
        if self.batch_sampler is None:
            return (self.dataset[i] for i in range(len(self.dataset)))
        return ([self.dataset[i] for i in indices] for indices in self.batch_sampler)

    def __iter__(self) -> Iterator:
        return (_tensors(self.collate_fn(batch)) for batch in self._batches())

    def __call__(self) -> Iterator:
        return iter(self)

    def __len__(self) -> int:
        if self._iterable:
            raise TypeError("DataLoader: the length of an IterableDataset isn't known")  # so that list(loader) works
        return len(self.dataset) if self.batch_sampler is None else len(self.batch_sampler)
