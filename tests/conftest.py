"""What holds for the whole suite."""

from __future__ import annotations

import gc

from support import sampling


def pytest_configure(config):
    """The day's seed also draws the examples of Hypothesis."""
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = sampling.SEED


def pytest_report_header():
    return sampling.HEADER


def pytest_collection_finish():
    """The tests stay until the end: no collection of garbage is to look through them again and again, and few are needed."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
