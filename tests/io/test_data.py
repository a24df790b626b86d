"""Data sets, samplers and batches; what the loader gives is what Paddle 3.3 gives."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import io


class Numbers(io.Dataset):
    def __init__(self, make, count=5):
        self.make, self.count = make, count

    def __getitem__(self, index):
        return self.make(index)

    def __len__(self):
        return self.count


class Stream(io.IterableDataset):
    def __iter__(self):
        yield from (np.full(2, i) for i in range(5))


def shown(value):
    if isinstance(value, dy2st.Tensor):
        return f"{value.dtype.name}{value.shape}"
    if isinstance(value, dict):
        return {k: shown(v) for k, v in value.items()}
    return [shown(v) for v in value] if isinstance(value, list) else value


SAMPLES = {
    "array": (lambda i: np.ones(2, "float32"), "float32[2, 2]"),
    "number": (lambda i: i, "int64[2]"),
    "pair": (lambda i: (np.ones(2, "float32"), i), ["float32[2, 2]", "int64[2]"]),
    "dict": (lambda i: {"a": np.ones(2), "b": 0.5}, {"a": "float64[2, 2]", "b": "float64[2]"}),
    "text": (lambda i: (dy2st.ones([2]), f"s{i}"), ["float32[2, 2]", ["s0", "s1"]]),
    "nested": (lambda i: [i, [i, np.ones(1)]], ["int64[2]", ["int64[2]", "float64[2, 1]"]]),
}


@pytest.mark.parametrize(("make", "expected"), SAMPLES.values(), ids=SAMPLES)
def test_samples_are_put_together_field_by_field(make, expected):
    loader = io.DataLoader(Numbers(make), batch_size=2)
    assert shown(next(iter(loader))) == expected
    assert len(loader) == len(list(loader)) == 3
    assert len(io.DataLoader(Numbers(make), batch_size=2, drop_last=True)) == 2


def test_single_samples():
    loader = io.DataLoader(Numbers(lambda i: (np.full(2, i), i)), batch_size=None)
    assert [shown(b) for b in loader][2] == ["int64[2]", 2] and len(loader) == 5


def test_a_stream():
    loader = io.DataLoader(Stream(), batch_size=2)
    assert [shown(b) for b in loader] == ["int64[2, 2]", "int64[2, 2]", "int64[1, 2]"]
    assert len(list(io.DataLoader(Stream(), batch_size=2, drop_last=True))) == 2
    with pytest.raises(TypeError, match="length"):
        len(loader)


def test_a_shuffled_epoch_has_every_sample_once_and_another_order_each_time():
    loader = io.DataLoader(Numbers(lambda i: i, 100), batch_size=8, shuffle=True)
    dy2st.seed(3)
    first, second = ([i for b in loader for i in b.tolist()] for _ in range(2))
    assert sorted(first) == sorted(second) == list(range(100)) and first != second
    dy2st.seed(3)
    assert [i for b in loader for i in b.tolist()] == first


def test_a_collate_function_and_a_batch_sampler_of_the_users():
    loader = io.DataLoader(
        Numbers(lambda i: i), batch_sampler=[[0, 4], [1]], collate_fn=lambda batch: np.array(batch) * 10, num_workers=2
    )
    assert [b.tolist() for b in loader] == [[0, 40], [10]]


def test_samplers():
    source = Numbers(lambda i: i)
    assert list(io.SequenceSampler(source)) == [0, 1, 2, 3, 4]
    assert sorted(io.RandomSampler(source)) == [0, 1, 2, 3, 4]
    assert len(list(io.RandomSampler(source, True, 9))) == 9
    assert list(io.RandomSampler(source, num_samples=2, generator=iter([3, 3, 3]))) == [3, 3]
    assert sorted(io.SubsetRandomSampler([1, 7])) == [1, 7]
    assert set(io.WeightedRandomSampler([0.0, 1.0, 0.0, 2.0], 50)) == {1, 3}
    assert list(io.BatchSampler(sampler=io.SequenceSampler(source), batch_size=2, drop_last=True)) == [[0, 1], [2, 3]]
    assert list(io.DistributedBatchSampler(source, 2, 2, 1)) == [[2, 3], [0]]  # as in Paddle


def test_data_sets_of_data_sets():
    numbers, squares = Numbers(lambda i: i), Numbers(lambda i: (i, i * i))
    assert io.ComposeDataset([numbers, squares])[3] == (3, 3, 9)
    both = io.ConcatDataset([numbers, squares])
    assert len(both) == 10 and both[4] == 4 and both[5] == (0, 0) and both[-1] == (4, 16)
    assert [x.tolist() for x in io.ChainDataset([Stream(), Stream()])] == [[i, i] for i in range(5)] * 2
    parts = io.random_split(numbers, [0.5, 0.5])
    assert [len(p) for p in parts] == [3, 2]
    assert sorted(p[i] for p in parts for i in range(len(p))) == [0, 1, 2, 3, 4]
    pair = io.TensorDataset([dy2st.ones([3, 2]), dy2st.arange(3)])
    assert len(pair) == 3 and pair[1][1].item() == 1


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="don't add up"):
        io.random_split(Numbers(lambda i: i), [2, 2])
    with pytest.raises(ValueError, match="take replacement"):
        io.RandomSampler(Numbers(lambda i: i), num_samples=6)
    with pytest.raises(ValueError, match="own order"):
        io.DataLoader(Stream(), shuffle=True)
    with pytest.raises(TypeError, match="give a collate_fn"):
        next(iter(io.DataLoader(Numbers(lambda i: object()))))
