"""How many bytes a compiled program sends between devices, read from its text."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from math import prod
from typing import Any

_COLLECTIVE = re.compile(
    r" = (?P<shapes>.+?) (?P<name>all-reduce|all-gather|reduce-scatter|all-to-all|ragged-all-to-all|collective-permute"
    r"|collective-broadcast)(?P<start>-start)?\("
)
_ARRAY = re.compile(r"\b(pred|[a-z]+(\d+)\w*)\[([\d,]*)\]")
_COMPUTATION = re.compile(r"^(ENTRY )?%?([\w.-]+) \(.*\{$")
_CALLED = re.compile(r"\b(calls|to_apply|body|condition)=%?([\w.-]+)")
_BRANCHES = re.compile(r"\b(?:branch_computations=\{(.*?)\}|true_computation=([^,]+), false_computation=([^,]+))")
_TURNS = re.compile(r'"known_trip_count":\{"n":"(\d+)"\}')
_LISTED = re.compile(r"replica_groups=\{\{([\d,]*)\}")
_COUNTED = re.compile(r"replica_groups=\[\d+,(\d+)\]")
_BY_AXES = re.compile(r"replica_groups=mesh\[([^\]]*)\].*? \{('.*?)\}")
_PER_TURN = " in each turn of a loop that data ends"


def traffic(compiled: Any) -> dict[str, float]:
    """How many bytes each device sends to others in one call, by the kind of message: "all-reduce", "all-gather" and so on.

    compiled: what `jax.jit(f).lower(...).compile()` gives, or its text.

    A message to a group of n devices goes round a ring: an all-reduce of S bytes sends 2 (n - 1) / n S, an all-gather or
    all-to-all of S bytes (n - 1) / n S, a reduce-scatter to S bytes (n - 1) S, a permutation S. What a loop of known length
    sends is counted for all its turns; for one turn, where only the run knows their number, which the kind then says. Of the
    branches of a condition it is the one that sends most.

    >>> dy2st.jax.traffic(jax.jit(f).lower(params, x).compile())  # doctest: +SKIP
    {'all-reduce': 27650.0}
    """
    text = compiled if isinstance(compiled, str) else compiled.as_text()
    entry, computations = _computations(text)

    @cache
    def sent(name: str) -> Counter[str]:
        total: Counter[str] = Counter()
        for line in computations.get(name, ()):
            total.update(_sent_by(line))
            for how, called in _CALLED.findall(line):
                total.update(_times(sent(called), how, line))
            branches = [sent(x.strip(" %")) for found in _BRANCHES.findall(line) for x in ",".join(found).split(",") if x.strip()]
            total.update(max(branches, key=lambda x: sum(x.values()), default=Counter()))
        return total

    return dict(sent(entry))


def _computations(text: str) -> tuple[str, dict[str, list[str]]]:
    """The name of the entry, and the lines of each computation."""
    entry, lines = "", []
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        begins = _COMPUTATION.match(line)
        if begins:
            lines = found[begins[2]] = []
            entry = begins[2] if begins[1] else entry
        else:
            lines.append(line)
    return entry, found


def _times(sent: Counter[str], how: str, line: str) -> dict[str, float]:
    """What a computation sends, as often as a line calls it."""
    if how not in ("body", "condition"):
        return dict(sent)
    turns = _TURNS.search(line)
    if turns is None:
        return {kind.removesuffix(_PER_TURN) + _PER_TURN: count for kind, count in sent.items()}
    return {kind: count * (int(turns[1]) + (how == "condition")) for kind, count in sent.items()}


def _sent_by(line: str) -> dict[str, float]:
    """What one operation sends."""
    found = _COLLECTIVE.search(line)
    if found is None:
        return {}
    name, arrays = found["name"], [_bytes(*x) for x in _ARRAY.findall(found["shapes"])]
    if found["start"] and name == "collective-permute":
        arrays = arrays[1:2]
    elif found["start"] and name != "all-reduce":
        arrays = arrays[len(arrays) // 2 :]
    size, n = sum(arrays), 2 if name.startswith("collective") else _group(line)
    share = {"all-reduce": 2 * (n - 1) / n, "reduce-scatter": n - 1, "collective-permute": 1, "collective-broadcast": 1}
    return {name: size * share.get(name, (n - 1) / n)} if n > 1 else {}


def _bytes(dtype: str, bits: str, dims: str) -> float:
    return (1 if dtype == "pred" else int(bits) / 8) * prod(int(n) for n in dims.split(",") if n)


def _group(line: str) -> int:
    """How many devices exchange messages. ValueError: the program says it in another way."""
    if found := _LISTED.search(line):
        return len(found[1].split(","))
    if found := _COUNTED.search(line):
        return int(found[1])
    if found := _BY_AXES.search(line):
        lengths = dict(re.findall(r"'(\w+)'=(\d+)", found[1]))
        return prod(int(part or lengths[axis]) for axis, part in re.findall(r"'(\w+)'(?::\(\d+\)(\d+))?", found[2]))
    raise ValueError(f"traffic: the program doesn't tell in a known way which devices exchange messages: {line.strip()[:300]}")
