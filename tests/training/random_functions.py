"""Random functions of tensors, as source: branches, loops, lists, views and writes in place."""

from __future__ import annotations

import random
from collections.abc import Callable

NAMES = ("a", "b", "c")
IMPORT = "import dy2st as paddle\n"
HEADER = """

def f(x, w):
    a, b, c = x[0], x[0] * w[0], w[1]
    items = [a]
    t = x * 0.8
"""
STRUCTURES = """    rows, named, box = [[a], [b, c]], {"u": a}, Box(c)
"""
BOX = """

class Box:
    def __init__(self, value):
        self.value = value
        self.rest = []
"""
VIEWS = ("t[0]", "t[-1]", "t.reshape([-1])[:3]", "t.transpose([1, 0])[:, -1]", "t[0:1].reshape([3])", "t.unsqueeze(1)[0][0]")


class Writer:
    """Writes one function; tensors called `a`, `b`, `c` have the shape [3], whatever the path, `t` that of x.

    smooth: nothing is detached, so that finite differences see what gradients see; structured: with lists in lists, dicts and
    objects as well.
    """

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.smooth = seed % 2 == 0
        self.depth = 2 + (seed % 10 == 0)  # how deep branches and loops may be nested
        self.structured = seed // 3 % 4 == 0
        self.lines: list[str] = []

    def text(self) -> str:
        """The source of a module with the function `f(x, w)`, for x float64 [n, 3] and w float64 [3, 3]."""
        self.block(1, 0, self.random.randint(1, self.depth - 1) + self.structured)
        result = "a.sum() + (b * c).mean() + paddle.stack(items).mean() + t.mean()"
        if not self.structured:
            return f"{IMPORT}{HEADER}{self.body()}    return {result}\n"
        result += ' + rows[0][-1].sum() * named["u"].mean() + box.value.mean()'
        return f"{IMPORT}{BOX}{HEADER}{STRUCTURES}{self.body()}    return {result}\n"

    def body(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def put(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def name(self) -> str:
        return self.random.choice(NAMES)

    def block(self, depth: int, loops: int, count: int) -> None:
        for _ in range(count):
            kinds = self.kinds()
            if depth <= self.depth:
                kinds += [self.branch, self.branch, self.loop, self.while_loop] if loops < self.depth - 1 else [self.branch]
            self.random.choice(kinds)(depth, loops)

    def kinds(self) -> list[Callable[[int, int], None]]:
        """The statements without a body of their own."""
        if self.structured:
            return [self.assignment, self.of_list, self.of_rows, self.of_names, self.of_objects]
        return [self.assignment, self.of_list, self.in_place, self.in_views]

    def expression(self) -> str:
        p, q = self.name(), self.name()
        return self.random.choice(
            (
                f"{p} * 0.5 + {q}",
                f"paddle.tanh({p} * {q})",
                f"{p} @ w * 0.4",
                f"{p} - {q} * x[0]",
                f"{p} / (1.5 + {q} * {q})",
                f"paddle.concat([{p}[1:], {q}[:1]])",
                f"({p}.reshape([3, 1]) * w).sum(axis=0).tanh()",
                f"x.transpose([1, 0]).mean(axis=1) + {p}",
                f"paddle.where({p} > {q}, {p}, {q} * 0.3)",
                f"paddle.nn.functional.softmax({p}, axis=-1)",
            )
        )

    def cut(self) -> str:
        return f"{self.name()} * {self.name()}.detach()"

    def condition(self) -> str:
        return f"{self.name()}.sum() > {self.random.choice((-0.5, 0.0, 0.4))}"

    def assignment(self, depth: int, loops: int) -> None:
        cut = not self.smooth and self.random.random() < 0.2
        self.put(depth, f"{self.name()} = {self.cut() if cut else self.expression()}")

    def of_list(self, depth: int, loops: int) -> None:
        p = self.name()
        self.put(
            depth,
            self.random.choice(
                (
                    f"items.append({p})",
                    f"items.append({self.expression()})",
                    f"items[0] = {p}",
                    f"{p} = items[-1]",
                    f"{p} = paddle.stack(items).mean(axis=0)",
                    f"{p} = paddle.concat(items)[:3]",
                    f"{p} = items.pop() if len(items) > 1 else {self.name()}",
                )
            ),
        )

    def of_rows(self, depth: int, loops: int) -> None:
        """Lists in a list, which may be one list; none is ever empty."""
        p, q, i = self.name(), self.name(), self.random.choice("01")
        self.put(
            depth,
            self.random.choice(
                (
                    f"rows[{i}].append({p} * 0.9)",
                    f"rows.append([{p}, {q}])",
                    f"{p} = rows[-1][0]",
                    f"{p} = rows[{i}].pop() if len(rows[{i}]) > 1 else {q}",
                    f"{p} = rows.pop()[0] if len(rows) > 2 else {q}",
                    "rows[0], rows[1] = rows[1], rows[0]",
                    f"rows[{i}] = rows[-1]",
                    f"rows[{i}] = rows[{i}] + [{p}]",
                    f"rows[{i}].insert({self.random.choice((0, 1, -1))}, {q})",
                    f"rows[{i}][0] = {p}",
                    f"{p} = rows[{i}].pop({q}.argmin() % len(rows[{i}])) if len(rows[{i}]) > 1 else {q}",
                    f"rows[{i}].extend(items[:2])",
                    f"{p} = paddle.stack(rows[{i}]).mean(axis=0)",
                )
            ),
        )

    def of_names(self, depth: int, loops: int) -> None:
        """A dict."""
        p, key = self.name(), self.random.choice('"uv"'[1:3])
        self.put(
            depth,
            self.random.choice(
                (
                    f'named["{key}"] = {p} * 1.1',
                    f'named["{key}"] = named["u"] * {p}',
                    f'{p} = named.get("{key}", {self.name()})',
                    f'{p} = named.setdefault("{key}", {self.name()})',
                    f'{p} = named.pop("v") if "v" in named else {self.name()} * 0.7',
                    f'{p} = {p} + sum(named.values()) * 0.5',
                    'box.value = named["u"]',
                )
            ),
        )

    def of_objects(self, depth: int, loops: int) -> None:
        """An object, or another in its place, which may be kept."""
        p = self.name()
        self.put(
            depth,
            self.random.choice(
                (
                    f"box.value = box.value * {p} + 0.1",
                    f"{p} = box.value",
                    f"box = Box({p})",
                    f"box.rest.append({p})",
                    f"{p} = box.rest[-1] if len(box.rest) > 0 else {p} * box.value",
                    "rows.append(box.rest + [box.value])",
                )
            ),
        )

    def in_place(self, depth: int, loops: int) -> None:
        """A new tensor, written as a whole or in part, or through a view of it, and perhaps read through another."""
        p, q, r = self.name(), self.name(), self.name()
        writes = ("s.add_({})", "s[1:] = {}[:2]", "s[0:2].add_({}[1:])", "s[1:][0] = {}[2]", "s.unsqueeze(0)[0] = {}")
        self.put(depth, f"s = {q}.clone()")
        if self.random.random() < 0.1:
            self.put(depth, "items.append(s)")
        self.put(depth, self.random.choice(writes).format(r))
        self.put(depth, f"{p} = s * 0.9")

    def in_views(self, depth: int, loops: int) -> None:
        """`t` is looked at, or written, through a view."""
        p, view = self.name(), self.random.choice(VIEWS)
        self.put(
            depth,
            self.random.choice(
                (
                    f"{p} = {view}",
                    f"{p} = {view} * 1.1",
                    f"{view}.add_({p} * 0.5)",
                    f"{view}.multiply_({p})",
                    f"{view}[1:] = {p}[1:]",
                    f"t[0] = {p}",
                    f"t[-1, :2] = {p}[:2]",
                    f"t = t + {p}",
                )
            ),
        )

    def branch(self, depth: int, loops: int) -> None:
        self.put(depth, f"if {self.condition()}:")
        self.block(depth + 1, loops, self.random.randint(1, 2))
        if self.random.random() < 0.5:
            self.put(depth, "else:")
            self.block(depth + 1, loops, 1)

    def loop(self, depth: int, loops: int) -> None:
        self.put(depth, f"for {'ij'[loops]} in range(x.shape[0] - {self.random.randint(0, 1)}):")
        self.turn(depth + 1, loops + 1)

    def while_loop(self, depth: int, loops: int) -> None:
        index = "kl"[loops]
        self.put(depth, f"{index} = 0")
        self.put(depth, f"while {index} < {self.random.choice(('2', 'x.shape[0]'))} and {self.condition()}:")
        self.put(depth + 1, f"{index} += 1")
        self.turn(depth + 1, loops + 1)

    def turn(self, depth: int, loops: int) -> None:
        """The body of a loop, which may end it."""
        self.block(depth, loops, self.random.randint(1, 2))
        if self.random.random() < 0.3:
            self.put(depth, f"if {self.condition()}:")
            self.put(depth + 1, self.random.choice(("break", "continue")))
