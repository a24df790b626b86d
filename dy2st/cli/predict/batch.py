"""One batch: rows of one file through the model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..usage import FailedError
from .folder import write_part
from .inputs import Task
from .model import Model, results_of


@dataclass(frozen=True)
class Batch:
    """Rows of one task, from `start` to `stop`. part: the file that their results go to."""

    model: Model
    task: Task
    start: int
    stop: int
    part: Path


def run_batch(batch: Batch) -> None:
    """Run the model on a batch, and write the results to its part. FailedError: the row that the model raises for."""
    arrays = [place.rows(batch.start, batch.stop) for place in batch.task.places]
    try:
        results = _results(batch, arrays)
    except Exception as error:  # whatever the user's model raises
        raise FailedError(_failure(batch, arrays, error)) from None
    write_part(batch.part, results)


def _results(batch: Batch, arrays: list[np.ndarray]) -> dict[str, np.ndarray]:
    return results_of(batch.model, arrays, f"{batch.task.name} {batch.start}")


def _failure(batch: Batch, arrays: list[np.ndarray], error: Exception) -> str:
    """An error with the row that it comes from: the first that raises by itself; where none does, all rows of the batch."""
    for row in range(batch.stop - batch.start) if batch.model.size is None else ():
        try:
            _results(batch, [array[row : row + 1] for array in arrays])
        except Exception as own:
            return f"{batch.task.label}, row {batch.start + row}: {_words(own)}"
    which = f"rows {batch.start} to {batch.stop - 1} together" if batch.stop > batch.start else "which has no rows"
    return f"{batch.task.label}, {which}: {_words(error)}"


def _words(error: Exception) -> str:
    loc = getattr(error, "dy2st_loc", None)
    return f"{type(error).__name__}: {error}" + (f" ({loc})" if loc is not None and str(loc) not in str(error) else "")
