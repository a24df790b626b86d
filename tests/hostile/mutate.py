"""An archive changed at random: its Program, its info file, its parameters, the other model's parts, the bytes themselves."""

from __future__ import annotations

import json
from typing import Any

from saving.mutation import mutate_bytes, mutate_tree

from .archives import INFO, MODEL, PARAMS, put_together, taken_apart
from .models import Model
from .programs import changed_program


class Mutator:
    """Changes models; the same random numbers give the same change."""

    def __init__(self, models: list[Model]):
        self._members = [taken_apart(model.data) for model in models]
        self._trees = [json.loads(members[MODEL]) for members in self._members]

    def changed(self, k: int, random: Any) -> bytes:
        """Model number `k`, changed."""
        members = dict(self._members[k])
        kind = random.random()
        if kind < 0.55:
            members[MODEL] = changed_program(members[MODEL], self._trees, random)
        elif kind < 0.70:
            members[MODEL] = mutate_tree(members[MODEL], random).encode("utf-8", "surrogatepass")
        elif kind < 0.80:
            members[INFO] = mutate_tree(members[INFO], random).encode("utf-8", "surrogatepass")
        elif kind < 0.84:
            members[PARAMS] = _changed_header(members[PARAMS], random)
        elif kind < 0.90:
            part = random.choice([MODEL, PARAMS, INFO])
            members[part] = random.choice(self._members)[part]
        elif kind < 0.95:
            part = random.choice([MODEL, PARAMS, INFO])
            members[part] = mutate_bytes(members[part], random)
        else:
            return mutate_bytes(put_together(members), random)
        return put_together(members)


def _changed_header(data: bytes, random: Any) -> bytes:
    size = int.from_bytes(data[:8], "little")
    text = mutate_tree(data[8 : 8 + size], random).encode("utf-8", "surrogatepass")
    return len(text).to_bytes(8, "little") + text + data[8 + size :]
