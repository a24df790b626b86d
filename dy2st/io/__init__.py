"""Data sets, the order in which their samples are read, and batches of them, under Paddle's names."""

from .dataloader import DataLoader, default_collate_fn, default_convert_fn, get_worker_info  # noqa: F401
from .dataset import (  # noqa: F401
    ChainDataset,
    ComposeDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    random_split,
)
from .sampler import (  # noqa: F401
    BatchSampler,
    DistributedBatchSampler,
    RandomSampler,
    Sampler,
    SequenceSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
