"""A habit: text with holes, of which a random program takes some and fills the holes.

| hole | filled with |
|---|---|
| `$i` `$t` `$c` | an expression that is an int, a float32 tensor, a truth |
| `$m` | a small int that is never negative |
| `$b` | statements, at the indentation of the hole |
| `${a|b|c}` | one of these texts |
| `$1` `$2` | a name that nothing else in the program has; the same within one text |
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Habit:
    """One thing that people write.

    defines: lines of the module. begins: lines of the model's `__init__`. methods: of the model.
    acts: statements of its `forward`.
    ints, tensors, truths: expressions for the holes of any text. told: expressions that the program returns.
    argument: a further argument of `forward`: its name, and an expression that makes it, where `#` is another digit each time.
    """

    name: str
    defines: str = ""
    begins: str = ""
    methods: str = ""
    acts: tuple[str, ...] = ()
    ints: tuple[str, ...] = ()
    tensors: tuple[str, ...] = ()
    truths: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    argument: tuple[str, str] | None = None
