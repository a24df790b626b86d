"""The batches that a Model reads, and the fields of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..api.creation import to_tensor
from ..io import DataLoader, Dataset, DistributedBatchSampler, IterableDataset
from ..runtime.tensors.tensor import Tensor
from .arguments import refuse_given


def loader_of(owner: str, data: Any, batch_size: int, num_workers: int, shuffle: bool = False, drop_last: bool = False) -> Any:
    """The batches of a data set, in Paddle's order; an iterable of batches is one already.

    TypeError: something else. ValueError: as those of DataLoader.
    """
    if isinstance(data, IterableDataset):
        if shuffle:
            raise ValueError(f"{owner}: an IterableDataset has its own order; give shuffle=False")
        return DataLoader(data, batch_size=batch_size, drop_last=drop_last, num_workers=num_workers)
    if isinstance(data, Dataset):
        sampler = DistributedBatchSampler(data, batch_size, shuffle=shuffle, drop_last=drop_last)
        return DataLoader(data, batch_sampler=sampler, num_workers=num_workers)
    if isinstance(data, Iterable) and not isinstance(data, (Tensor, Mapping, str, bytes)):
        return data
    raise TypeError(f"{owner} takes a paddle.io.Dataset, a DataLoader or another iterable of batches, not {type(data).__name__}")


def refuse_unused(owner: str, datas: Iterable, **given: tuple[Any, Any]) -> None:
    """ValueError: an argument, (value, default) by name, isn't its default, though the data comes in batches already."""
    if not any(isinstance(data, Dataset) for data in datas):
        refuse_given(owner, "DataLoader", **given)


def length(batches: Any) -> int | None:
    """How many batches there are; None where that isn't known."""
    try:
        return len(batches)
    except (TypeError, RuntimeError):  # an IterableDataset says it in either way
        return None


def fields(batch: Any) -> list[Tensor]:
    """The tensors of a batch, those of nested lists one after the other. TypeError: a dict, or what is no tensor."""
    if isinstance(batch, Mapping):
        raise TypeError(
            f"a batch for a Model is a list of inputs and labels, not a {type(batch).__name__}: give the DataLoader a collate_fn "
            "that puts the values in a list"
        )
    if isinstance(batch, (list, tuple)):
        return [field for part in batch for field in fields(part)]
    return [batch if isinstance(batch, Tensor) else to_tensor(batch)]


def samples(batch: list[Tensor]) -> int:
    """How many samples there are in the fields of a batch."""
    return batch[0].shape[0] if batch and batch[0].shape else 1
