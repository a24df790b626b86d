"""What parameters and state are called: as in the `state_dict`, and else by the place where they lie.

self._sub_layers['norm'].mean, float32[3]   ->   norm.mean
globals.sgd._learning_rate.last_lr          ->   sgd.learning_rate
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from ..graphs.lowering.state_names import graph_name
from ..ir.types import Type

Place = tuple[str, str]  # "state" or "parameter", and the name in the Program
_AROUND = re.compile(r"^(closure|globals)\.")
_RATE = re.compile(r"\._learning_rate(\.last_lr)?$")


def names_of(places: Mapping[Place, Type]) -> dict[Place, str]:
    """The name for each place; where two places would have one, what the Program calls them."""
    short = {place: _short(place[1], type_) for place, type_ in places.items()}
    counts = Counter(short.values())
    return {place: name if counts[name] == 1 else place[1] for place, name in short.items()}


def _short(name: str, type_: Type) -> str:
    return _RATE.sub(".learning_rate", _AROUND.sub("", graph_name(name, type_)))
