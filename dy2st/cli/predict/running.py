"""All batches of a prediction, one after the other or by several workers, and what becomes of their parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec
from typing import NamedTuple

from ...extras import how_to_install
from ...progress import Progress
from ..usage import FailedError, UsageError
from .batch import Batch, run_batch
from .folder import Folder
from .inputs import Task
from .model import Model


class Counts(NamedTuple):
    """Result files that this run has written, and those that were there before it."""

    written: list[str]
    kept: list[str]


def check_workers(workers: int) -> None:
    """UsageError where there can't be so many."""
    if workers < 1:
        raise UsageError(f"--workers {workers}: expected at least 1")
    if workers > 1 and find_spec("joblib") is None:
        raise UsageError(f"--workers needs joblib: {how_to_install('predict')}, or leave --workers out")


def predict(model: Model, folder: Folder, tasks: Sequence[Task], size: int, workers: int, progress: Progress) -> Counts:
    """Run all batches of `size` rows whose results aren't there. FailedError: the first row that the model raises for."""
    for task in tasks:
        folder.begin(task)
    waiting = [task for task in tasks if not folder.is_finished(task)]
    todo = [batch for task in waiting for batch in _batches(model, folder, task, size)]
    progress.advance(sum(task.rows for task in tasks) - sum(batch.stop - batch.start for batch in todo))
    left = Counter(batch.task.name for batch in todo)
    for task in waiting:
        if not left[task.name]:
            folder.finish(task, size)
    with closing(_run(todo, workers)) as troubles:
        for batch, trouble in zip(todo, troubles):
            if trouble is not None:
                raise FailedError(trouble)
            progress.advance(batch.stop - batch.start)
            left[batch.task.name] -= 1
            if not left[batch.task.name]:
                folder.finish(batch.task, size)
    written = {task.name for task in waiting}
    results = [(task.name in written, str(folder.result(task))) for task in tasks]
    return Counts([path for new, path in results if new], [path for new, path in results if not new])


def _batches(model: Model, folder: Folder, task: Task, size: int) -> Iterator[Batch]:
    """The batches of a task whose results aren't there."""
    for start, stop in task.batches(size):
        if not folder.has_part(task, start):
            yield Batch(model, task, start, stop, folder.part(task, start))


def _run(batches: Sequence[Batch], workers: int) -> Generator[str | None, None, None]:
    """What `run_batch` says of each, in order."""
    if workers > 1:
        from .workers import run_by_workers

        yield from run_by_workers(batches, workers)
    else:
        yield from map(run_batch, batches)
