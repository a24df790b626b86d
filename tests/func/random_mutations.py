"""Random functions of views, slices, in-place operators, lists, tuples, if and while, as source text."""

from __future__ import annotations

import random

LINES = 9


class Writer:
    """Writes one function `f(a, b)`. Names stand for matrices of shape [3, 4] (m, v) or for rows of them (r)."""

    def __init__(self, choices: random.Random):
        self.choices = choices
        self.lines: list[str] = []
        self.matrices, self.rows = ["a", "b"], []
        self.count = 0
        self.lists: list[str] = []

    def function(self) -> str:
        """The text of the function."""
        self.line("    ", "m = a * 2")
        self.matrices.append("m")
        for _ in range(self.choices.randint(3, LINES)):
            self.statement("    ", 2)
        lists = [f"len({x}), [v * 1 for v in {x}]" for x in self.lists]
        self.line("    ", f"return {', '.join([*self.matrices, *self.rows, *lists])},")
        return "def f(a, b):\n" + "\n".join(self.lines) + "\n"

    def line(self, indent: str, text: str) -> None:
        self.lines.append(indent + text)

    def fresh(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    # --- statements ----------------------------------------------------------------------------------------------------

    def statement(self, indent: str, depth: int) -> None:
        """One statement at random, with what it defines."""
        kinds = [self.view, self.write, self.write, self.write, self.compute, self.rebind]
        if depth:
            kinds += [self.branch, self.branch, self.loop, self.loop, self.fill_list, self.attempt, self.pair]
        if self.lists:
            kinds += [self.use_list]
        self.choices.choice(kinds)(indent, depth)

    def view(self, indent: str, depth: int) -> None:
        """A new name for a view."""
        m = self.choices.choice(self.matrices)
        if self.choices.random() < 0.5:
            name = self.fresh("r")
            self.line(indent, f"{name} = {m}[{self.choices.randrange(3)}]")
            self.rows.append(name)
            return
        name = self.fresh("v")
        ways = ["{0}[:, :]", "{0}.t().t()", "{0}.unsqueeze(0).squeeze(0)", "{0}[:3].reshape([12]).reshape([3, 4])"]
        self.line(indent, f"{name} = {self.choices.choice(ways).format(m)}")
        self.matrices.append(name)

    def write(self, indent: str, depth: int) -> None:
        """A write through some name."""
        target = self.target()
        number = self.choices.randint(1, 3)
        self.line(
            indent,
            self.choices.choice(
                [
                    f"{target}.add_({number})",
                    f"{target}.multiply_({number})",
                    f"{target}.subtract_({self.row()})",
                    f"{target}.clip_(-9, 9)",
                    f"{target}[...] = {self.row()}",
                    f"{target}.fill_({number})",
                ]
            ),
        )

    def target(self) -> str:
        """Some tensor that can be written."""
        m = self.choices.choice(self.matrices)
        plain = [m, m, f"{m}[1]", *self.rows]
        return self.choices.choice(plain if self.choices.random() < 0.8 else [f"{m}[1:]"])

    def row(self) -> str:
        """Four numbers."""
        return self.choices.choice([*self.rows, *(f"{m}[{self.choices.randrange(3)}]" for m in self.matrices)])

    def compute(self, indent: str, depth: int) -> None:
        """A new name for new memory."""
        name = self.fresh("m")
        self.line(indent, f"{name} = {self.choices.choice(self.matrices)} * 2 - {self.row()}")
        self.matrices.append(name)

    def rebind(self, indent: str, depth: int) -> None:
        """A name that is known becomes another tensor, or another name for one."""
        name = self.choices.choice([m for m in self.matrices if m not in "ab"])
        other = self.choices.choice(self.matrices)
        self.line(indent, f"{name} = " + self.choices.choice(["{0}", "{0} + 1", "{0}[:, :]", "{0} * 1"]).format(other))

    # --- control flow --------------------------------------------------------------------------------------------------

    def block(self, indent: str, depth: int) -> None:
        """A few statements; names that they define are gone afterwards."""
        known = list(self.matrices), list(self.rows), list(self.lists)
        for _ in range(self.choices.randint(1, 3)):
            self.statement(indent, depth - 1)
        self.matrices, self.rows, self.lists = known

    def branch(self, indent: str, depth: int) -> None:
        """An `if`."""
        self.line(indent, f"if {self.row()}.sum() > {self.choices.randint(-20, 20)}:")
        self.block(indent + "    ", depth)
        if self.choices.random() < 0.7:
            self.line(indent, "else:")
            self.block(indent + "    ", depth)

    def loop(self, indent: str, depth: int) -> None:
        """A `while` of a few turns."""
        i = self.fresh("i")
        self.line(indent, f"{i} = dy2st.zeros([], 'int64')")
        self.line(indent, f"while {i} < {self.choices.randint(0, 3)}:")
        self.block(indent + "    ", depth)
        self.line(indent + "    ", f"{i} = {i} + 1")

    def attempt(self, indent: str, depth: int) -> None:
        """A `try` in which an index may be out of range."""
        at = f"{self.row()}.sum().astype('int64')"
        self.line(indent, "try:")
        self.write(indent + "    ", depth)
        self.line(indent + "    ", f"{self.choices.choice(self.matrices)}[{at}].add_(1)")
        self.block(indent + "    ", depth)
        self.line(indent, "except IndexError:")
        self.block(indent + "    ", depth)

    def pair(self, indent: str, depth: int) -> None:
        """A tuple whose parts change places on a path."""
        p, m, n = self.fresh("p"), self.fresh("m"), self.fresh("m")
        first, second = self.choices.choice(self.matrices), self.choices.choice(self.matrices)
        self.line(indent, f"{p} = ({first}, {second})")
        self.line(indent, f"if {self.row()}.sum() > 0:")
        self.line(indent, f"    {p} = ({p}[1], {self.choices.choice([p + '[0]', first + ' * 1'])})")
        self.line(indent, f"{m}, {n} = {p}")
        self.matrices += [m, n]

    def fill_list(self, indent: str, depth: int) -> None:
        """A list that a loop fills with tensors of their own."""
        xs, i = self.fresh("xs"), self.fresh("i")
        self.line(indent, f"{xs} = []")
        self.line(indent, f"{i} = dy2st.zeros([], 'int64')")
        self.line(indent, f"while {i} < 2:")
        item = self.choices.choice(self.matrices)
        self.line(indent, f"    {xs}.append({item if self.choices.random() < 0.3 else item + ' * 1'})")
        self.line(indent, f"    {i} = {i} + 1")
        self.lists.append(xs)

    def use_list(self, indent: str, depth: int) -> None:
        """A write to an element of a list, or a view of one."""
        xs = self.choices.choice(self.lists)
        if self.choices.random() < 0.3:
            self.matrices.append(self.fresh("e"))
            self.line(indent, f"{self.matrices[-1]} = {xs}[{self.choices.randrange(2)}]")
            return
        self.line(
            indent, self.choices.choice([f"{xs}[{self.choices.randrange(2)}].add_({self.row()})", f"{xs}[0][1].multiply_(2)"])
        )
