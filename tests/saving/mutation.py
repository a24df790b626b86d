"""Hostile files: valid ones with something changed at random."""

from __future__ import annotations

import copy
import json
from typing import Any

JUNK: list[Any] = [
    *(None, True, 0, -1, 2**63, 10**30, 1.5, 1e308, "", "x", "int", "float32[3]", "main", "\ud800", "../../etc/passwd"),
    *([], {}, [[]], [[[[]]]], {"ref": 0}, {"ref": -5}, {"ref": 10**9}, {"tuple": 3}, {"float": "nan"}, {"int": "0xzz"}),
    *({"dict": [[1, 2]]}, "__import__('os')", "if", "return"),
    *("list<" * 70 + "int" + ">" * 70, "sum<int>", "class A{x: int, x: int}", "array(int8[9999999999], [])", "*1", "&1 [*1]"),
]


def nodes(tree: Any, at: tuple = ()) -> list[tuple]:
    """The places of a JSON tree."""
    found = [at]
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, part in items:
        found += nodes(part, (*at, key))
    return found


def look_up(tree: Any, path: list | tuple) -> Any:
    for step in path:
        tree = tree[step]
    return tree


def mutate_tree(text: str | bytes, random: Any) -> str:
    """The JSON text with one to three nodes replaced, removed, overwritten by another, doubled or renamed."""
    tree = json.loads(text)
    for _ in range(random.randint(1, 3)):
        places = nodes(tree)
        if len(places) < 2:
            break
        *path, key = random.choice(places[1:])
        parent = look_up(tree, path)
        action = random.choice(["replace", "replace", "remove", "overwrite", "double", "rename"])
        if action == "remove":
            del parent[key]
        elif action == "overwrite":
            parent[key] = copy.deepcopy(look_up(tree, random.choice(places)))
        elif action == "double" and isinstance(parent, list):
            parent.insert(key, copy.deepcopy(parent[key]))
        elif action == "rename" and isinstance(parent, dict):
            parent[random.choice(["op", "in", "x", ""])] = parent.pop(key)
        else:
            parent[key] = copy.deepcopy(random.choice(JUNK))
    return json.dumps(tree)


def mutate_bytes(data: bytes, random: Any) -> bytes:
    """The bytes with a few flipped, cut out, inserted, or the end cut off."""
    changed = bytearray(data)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(changed) + 1)
        action = random.choice(["flip", "cut", "insert", "truncate"])
        if action == "flip" and at < len(changed):
            changed[at] ^= 1 << random.randrange(8)
        elif action == "cut":
            del changed[at : at + random.randint(1, 20)]
        elif action == "insert":
            changed[at:at] = random.choice([b"\0", b"\xff" * 4, b"{", b"]", b'"', b"9" * 30, b"-"])
        elif action == "truncate" and random.random() < 0.3:
            del changed[at:]
    return bytes(changed)
