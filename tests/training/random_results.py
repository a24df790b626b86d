"""Random functions that give many tensors, in tuples, lists, dicts and objects; some have no gradient, or on some paths only."""

from __future__ import annotations

from .random_functions import BOX, IMPORT, STRUCTURES, Writer

HEADER = """

def f(x, w, u, v):
    a, b, c = x[0], x[0] * w[0], v * 1
    items = [a]
    t = x * 0.8
"""
ZEROS = 'paddle.zeros([3], dtype="float64")'
RESULT = '{"a": a, "rest": (b, [c.detach(), c]), "items": items, "t": t'


class ResultWriter(Writer):
    """The same functions, of two weights more, `u` and `v`. Some of what they compute is detached, or made under `no_grad`."""

    def text(self) -> str:
        """The source of a module with `f(x, w, u, v)`, for x float64 [n, 3], w float64 [3, 3], u and v float64 [3]."""
        self.block(1, 0, self.random.randint(1, self.depth - 1) + self.structured)
        if not self.structured:
            return f"{IMPORT}{HEADER}{self.body()}    return {self.result()}\n"
        return f"{IMPORT}{BOX}{HEADER}{STRUCTURES}{self.body()}    return {self.result()}\n"

    def result(self) -> str:
        """All that is computed, as a dict."""
        more = ', "rows": rows, "named": named, "box": (box.value, box.rest)' if self.structured else ""
        return f"{RESULT}{more}}}"

    def expression(self) -> str:
        p = self.name()
        if self.random.random() < 0.6:
            return super().expression()
        return self.random.choice((f"{p} * u", f"{p} + v", f"{p}.detach() * v", f"{p}.detach()", "x[0] * 2", ZEROS))

    def assignment(self, depth: int, loops: int) -> None:
        if self.random.random() < 0.2:
            self.put(depth, "with paddle.no_grad():")
            depth += 1
        super().assignment(depth, loops)
