"""Names for the functions and variables that the transformers add: numbered, and never one that the user's code uses."""

import re

import gast

from .straight import Straight

PART = re.compile(
    r"(true_fn|false_fn|while_condition|while_body|for_condition|for_body|try_body|except|else|finally|with_body)_\d+")


class Naming:
    """Hands out `true_fn_0`, `true_fn_1` ..., and skips every identifier of the function that is rewritten."""

    def __init__(self, reserved):
        self.reserved = set(reserved)
        self.generated: set[str] = set()
        self.counters: dict[tuple[str, ...], int] = {}

    def fresh(self, prefix: str) -> str:
        return self.group(prefix)[0]

    def group(self, *prefixes: str) -> tuple[str, ...]:
        """One name per prefix, all with the same number: `true_fn_2`, `false_fn_2`."""
        number = self.counters.get(prefixes, 0)
        while any(f"{prefix}_{number}" in self.reserved for prefix in prefixes):
            number += 1
        self.counters[prefixes] = number + 1
        names = tuple(f"{prefix}_{number}" for prefix in prefixes)
        self.reserved.update(names)
        self.generated.update(names)
        return names


WITHOUT_IDENTIFIERS = {gast.Constant, Straight}
IDENTIFIER_FIELDS = {"name", "asname", "rest", "attr", "arg"}


def identifiers(nodes) -> set[str]:
    """Every identifier in these nodes, whatever it is used for."""
    names: set[str] = set()
    for node in nodes:
        kind = type(node)
        if kind is gast.Name:
            names.add(node.id)
        elif kind in (gast.Global, gast.Nonlocal):
            names.update(node.names)
        elif kind not in WITHOUT_IDENTIFIERS:
            for field in IDENTIFIER_FIELDS.intersection(node._fields):
                value = getattr(node, field, None)
                if isinstance(value, str):
                    names.update(value.split("."))
    return names
