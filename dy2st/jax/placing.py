"""Where parameters lie on many devices: rules by name, in place of a placement for each of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any

import jax
import numpy as np
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec

Rules = Mapping[str | re.Pattern[str], PartitionSpec]


def place(mesh: Mesh, rules: Rules, *held: Mapping[str, Any]) -> Any:
    """Put the arrays of `params`, and of `opt_state`, on the devices of a mesh.

    rules: by the names of parameters, as a glob (`"*.weight"`) or as a compiled regular expression that matches the whole name.
        The first rule that matches a name holds for it; where none does, each device has the whole array.
    held: dicts by name, such as `params` and `opt_state` of `training_step`. What is kept for a parameter, in its shape, lies
        where the parameter lies: `fc.weight.moment1`. A rule may name it, too. Each of several processes has the same.

    Returns the dicts with arrays on the devices: the dict itself for one, else a tuple. 64 bits stay so. The `sharding` of an
    array is what `out_shardings` of `jax.jit` takes.

    ValueError: a rule matches no name, it names an axis that the mesh lacks, or what it splits has no such dimension, or one
    whose length the devices don't divide. Axes of the mesh are of the kind Auto, as `jax.sharding.Mesh` makes them.

    >>> params, opt_state = dy2st.jax.place(mesh, {"*.weight": P(None, "model")}, params, opt_state)  # doctest: +SKIP
    """
    refuse_explicit("the mesh", mesh)
    found = Placement(mesh, rules, {name: x for part in held for name, x in part.items()})
    places = [{name: found.of(name) for name in part} for part in held]
    found.check()
    with jax.enable_x64(True):
        placed = tuple(
            {name: jax.tree.map(_put, x, where[name]) for name, x in part.items()} for part, where in zip(held, places)
        )
    return placed[0] if len(placed) == 1 else placed


def _put(x: Any, where: NamedSharding) -> Any:
    if isinstance(x, jax.Array) and not x.is_fully_addressable:
        return jax.device_put(x, where)
    array = np.asarray(x)
    return jax.make_array_from_callback(array.shape, where, array.__getitem__)


def refuse_explicit(name: str, mesh: Mesh | AbstractMesh) -> None:
    """ValueError: JAX would ask for a placement at each operator."""
    if AxisType.Explicit in mesh.axis_types:
        raise ValueError(f"{name} has axes of the kind Explicit; make the mesh by jax.sharding.Mesh(devices, names)")


class Placement:
    """Finds the rule for each name. arrays: all that is placed, by name."""

    def __init__(self, mesh: Mesh, rules: Rules, arrays: Mapping[str, Any]):
        self._mesh, self._rules, self._arrays = mesh, rules, arrays
        self._used: set[str | re.Pattern[str]] = set()

    def of(self, name: str) -> Any:
        """The placement of what has this name, in its structure."""
        rule, owner = self._rule(name), name.rpartition(".")[0]
        if rule is not None:
            return jax.tree.map(lambda x: self._split(name, rule, np.shape(x)), self._arrays[name])
        followed = self._rule(owner) if owner in self._arrays else None

        def where(x: Any) -> NamedSharding:
            follows = followed is not None and np.shape(x) == np.shape(self._arrays[owner])
            return NamedSharding(self._mesh, followed if follows else PartitionSpec())

        return jax.tree.map(where, self._arrays[name])

    def check(self) -> None:
        """ValueError: a rule has matched nothing."""
        for rule in self._rules:
            if rule not in self._used:
                text = rule if isinstance(rule, str) else rule.pattern
                near = get_close_matches(text, self._arrays, 3, 0.3) or sorted(self._arrays)[:3]
                raise ValueError(f"place: no name matches the rule {text!r}; there are {', '.join(near)}")

    def _rule(self, name: str) -> PartitionSpec | None:
        for rule, spec in self._rules.items():
            if fnmatchcase(name, rule) if isinstance(rule, str) else rule.fullmatch(name):
                self._used.add(rule)
                return spec
        return None

    def _split(self, name: str, spec: PartitionSpec, shape: tuple[int, ...]) -> NamedSharding:
        """ValueError: an array of this shape isn't split so."""
        for axis, along in enumerate(spec):
            names = () if along is None else along if isinstance(along, tuple) else (along,)
            missing = [x for x in names if x not in self._mesh.shape]
            if missing:
                raise ValueError(f"place: the mesh has no axis {missing[0]!r}; it has {', '.join(self._mesh.axis_names)}")
            if names and axis >= len(shape):
                raise ValueError(f"place: {name} has the shape {list(shape)}, and no dimension {axis} to split by {spec}")
            count = int(np.prod([self._mesh.shape[x] for x in names]))
            if names and shape[axis] % count:
                raise ValueError(
                    f"place: {name} has the shape {list(shape)}, and {count} devices don't divide its dimension {axis}"
                )
        return NamedSharding(self._mesh, spec)
