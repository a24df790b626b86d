"""Several processes that run batches. They end with the one that has started them, however that ends."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

from .batch import Batch, run_batch


def run_by_workers(batches: Sequence[Batch], workers: int) -> Generator[str | None, None, None]:
    """What `run_batch` says of each batch, in order."""
    from joblib import Parallel, delayed

    with _interrupts_for_us_alone():
        # An initializer runs before the first batch: a worker without one would outlive us, too
        parallel = Parallel(n_jobs=workers, return_as="generator", batch_size=1, initializer=_end_with, initargs=(os.getpid(),))
        results = parallel(delayed(run_batch)(batch) for batch in batches)
    try:
        for _ in batches:  # `yield from` would close the results before we can
            yield next(results)
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that batches are cancelled, as they are to be
            results.close()


def _end_with(parent: int) -> None:
    """End this process when its parent has ended: else it would go on, and then wait minutes for more."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    if os.name == "posix":
        threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _interrupts_for_us_alone() -> Iterator[None]:
    """A block whose child processes ignore a Ctrl-C, of which each would complain: we end them."""
    if threading.current_thread() is not threading.main_thread():  # which alone may say so
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
