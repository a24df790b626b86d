"""All batches of a prediction, one after the other, and what becomes of their parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...progress import Progress
from .batch import Batch, run_batch
from .folder import Folder
from .inputs import Task
from .model import Model


class Counts(NamedTuple):
    """Result files that this run has written, and those that were there before it."""

    written: list[str]
    kept: list[str]


def predict(model: Model, folder: Folder, tasks: Sequence[Task], size: int, progress: Progress) -> Counts:
    """Run all batches of `size` rows whose results aren't there. FailedError: the first row that the model raises for."""
    for task in tasks:
        folder.begin(task)
    waiting = [task for task in tasks if not folder.is_finished(task)]
    todo = {task.name: [*_batches(model, folder, task, size)] for task in waiting}
    left = sum(batch.stop - batch.start for batches in todo.values() for batch in batches)
    progress.done = sum(task.rows for task in tasks) - left
    for task in waiting:
        for batch in todo[task.name]:
            run_batch(batch)
            progress.done += batch.stop - batch.start
        folder.finish(task, size)
    results = [(task.name in todo, str(folder.result(task))) for task in tasks]
    return Counts([path for new, path in results if new], [path for new, path in results if not new])


def _batches(model: Model, folder: Folder, task: Task, size: int) -> Iterator[Batch]:
    """The batches of a task whose results aren't there."""
    for start, stop in task.batches(size):
        if not folder.has_part(task, start):
            yield Batch(model, task, start, stop, folder.part(task, start))
