"""Every kind of file that the campaign changes, and what is done with a changed one."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from typing import Any

from saving import hostile_traced

import dy2st as paddle

from .attempt import try_model, try_state, used
from .models import models
from .mutate import Mutator

Tried = Callable[[Any], str]  # random numbers -> what the file that they make comes to


@cache
def sources() -> list[tuple[str, Tried]]:
    """The kinds by name. Each is used once as it is, unwatched, so that what its use imports and converts is there."""
    known = models()
    mutator = Mutator(known)
    for model in known:
        assert used(paddle.jit.load(io.BytesIO(model.data)), model.inputs, True) == "answered", model.name
    for name, data in hostile_traced.models():
        assert hostile_traced.attempt(data) == "loaded", name
    programs = [(model.name, _model(mutator, k, model.inputs)) for k, model in enumerate(known)]
    return [*programs, *((name, _state(data)) for name, data in hostile_traced.models())]


def _model(mutator: Mutator, k: int, inputs: tuple) -> Tried:
    return lambda random: try_model(mutator.changed(k, random), inputs, random.random() < 0.3)


def _state(data: bytes) -> Tried:
    return lambda random: try_state(hostile_traced.mutated(data, random))
