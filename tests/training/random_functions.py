"""Random functions of tensors, as source: branches, loops, lists, views and writes in place."""

from __future__ import annotations

import random

NAMES = ("a", "b", "c")
HEADER = """import dy2st as paddle


def f(x, w):
    a, b, c = x[0], x[0] * w[0], w[1]
    items = [a]
    t = x * 0.8
"""
VIEWS = ("t[0]", "t[-1]", "t.reshape([-1])[:3]", "t.transpose([1, 0])[:, -1]", "t[0:1].reshape([3])", "t.unsqueeze(1)[0][0]")


class Writer:
    """Writes one function; tensors called `a`, `b`, `c` have the shape [3], whatever the path, `t` that of x.

    smooth: nothing is detached, so that finite differences see what gradients see.
    """

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.smooth = seed % 2 == 0
        self.depth = 2 + (seed % 5 == 0)  # how deep branches and loops may be nested
        self.lines: list[str] = []

    def text(self) -> str:
        """The source of a module with the function `f(x, w)`, for x float64 [n, 3] and w float64 [3, 3]."""
        self.block(1, 0, self.random.randint(1, self.depth - 1) + (self.random.random() < 0.2))
        return HEADER + "\n".join(self.lines) + "\n    return a.sum() + (b * c).mean() + paddle.stack(items).mean() + t.mean()\n"

    def put(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def name(self) -> str:
        return self.random.choice(NAMES)

    def block(self, depth: int, loops: int, count: int) -> None:
        for _ in range(count):
            kinds = [self.assignment, self.of_list, self.in_place, self.in_views]
            if depth <= self.depth:
                kinds += [self.branch, self.branch, self.loop, self.while_loop] if loops < self.depth - 1 else [self.branch]
            self.random.choice(kinds)(depth, loops)

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
