"""The names of dy2st.io. Written by `python tests/support/stubs.py`."""

from dy2st.io import dataloader as dataloader
from dy2st.io import dataset as dataset
from dy2st.io import sampler as sampler
from dy2st.io.dataloader import DataLoader as DataLoader
from dy2st.io.dataloader import default_collate_fn as default_collate_fn
from dy2st.io.dataloader import default_convert_fn as default_convert_fn
from dy2st.io.dataloader import get_worker_info as get_worker_info
from dy2st.io.dataset import ChainDataset as ChainDataset
from dy2st.io.dataset import ComposeDataset as ComposeDataset
from dy2st.io.dataset import ConcatDataset as ConcatDataset
from dy2st.io.dataset import Dataset as Dataset
from dy2st.io.dataset import IterableDataset as IterableDataset
from dy2st.io.dataset import Subset as Subset
from dy2st.io.dataset import TensorDataset as TensorDataset
from dy2st.io.dataset import random_split as random_split
from dy2st.io.sampler import BatchSampler as BatchSampler
from dy2st.io.sampler import DistributedBatchSampler as DistributedBatchSampler
from dy2st.io.sampler import RandomSampler as RandomSampler
from dy2st.io.sampler import Sampler as Sampler
from dy2st.io.sampler import SequenceSampler as SequenceSampler
from dy2st.io.sampler import SubsetRandomSampler as SubsetRandomSampler
from dy2st.io.sampler import WeightedRandomSampler as WeightedRandomSampler
