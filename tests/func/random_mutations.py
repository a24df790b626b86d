"""Random functions of views, slices, in-place operators, lists, dicts, objects, tuples, if, while and try, as source text."""

from __future__ import annotations

import random

PRELUDE = """import dy2st


class Box:
    pass


"""
STATEMENTS = 3  # at most, in a block; many small functions find more than a few large ones


class Writer:
    """Writes one function `f(a, b)`. Names stand for matrices of shape [3, 4] (m, v, e) or for rows of them (r).

    lists, row_lists: names of lists of at least two matrices, or of three rows. objects: names of objects with a matrix `v`.
    places: what stands for a matrix in a dict or an object.
    """

    def __init__(self, choices: random.Random):
        self.choices = choices
        self.lines: list[str] = []
        self.matrices, self.rows = ["a", "b"], []
        self.lists: list[str] = []
        self.row_lists: list[str] = []
        self.objects: list[str] = []
        self.places: list[str] = []
        self.count = 0

    def function(self) -> str:
        """The text of the function."""
        self.line("    ", "m = a * 2")
        self.matrices.append("m")
        for k in range(self.choices.randint(1, STATEMENTS)):
            self.statement("    ", 1 if k else 2, plain=k > 0)
        self.line("    ", f"return {', '.join([*self.matrices, *self.rows, *self.lists, *self.row_lists, *self.places])},")
        return "def f(a, b):\n" + "\n".join(self.lines) + "\n"

    def line(self, indent: str, text: str) -> None:
        self.lines.append(indent + text)

    def fresh(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    # --- statements ----------------------------------------------------------------------------------------------------

    def statement(self, indent: str, depth: int, plain: bool = True) -> None:
        """One statement at random, with what it defines; unless `plain`, one with others in it, or a list."""
        kinds = [self.view, self.write, self.write, self.write, self.compute, self.rebind] if plain else []
        if depth:
            kinds += [self.branch, self.loop, self.fill_list, self.attempt, self.pair]
        if depth == 2:
            kinds += [self.branch, self.loop, self.fill_list, self.list_rows, self.make_dict, self.make_object]
        if self.lists:
            kinds += [self.use_list] * 3
        if self.places:
            kinds += [self.use_place] * 2
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
        plain = [m, m, f"{m}[1]", *self.rows, *map(self.element, self.lists), *map(self.element, self.row_lists), *self.places]
        return self.choices.choice(plain if self.choices.random() < 0.8 else [f"{m}[1:]"])

    def row(self) -> str:
        """Four numbers."""
        matrices = [*self.matrices, *map(self.element, self.lists), *self.places]
        found = [f"{m}[{self.choices.randrange(3)}]" for m in matrices]
        return self.choices.choice([*self.rows, *found, *map(self.element, self.row_lists)])

    def element(self, xs: str) -> str:
        """An element of a list."""
        if self.choices.random() < 0.6:
            return f"{xs}[{self.choices.randrange(2)}]"
        return f"{xs}[{self.choices.choice(self.matrices)}[0, 1].astype('int64') % 2]"

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
        known = [list(x) for x in (self.matrices, self.rows, self.lists, self.row_lists, self.objects, self.places)]
        for _ in range(self.choices.randint(1, STATEMENTS - 1)):
            self.statement(indent, depth - 1)
        self.matrices, self.rows, self.lists, self.row_lists, self.objects, self.places = known

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

    # --- lists ---------------------------------------------------------------------------------------------------------

    def item(self) -> str:
        """What goes into a list: a tensor of its own, another name for one, or a view."""
        way = self.choices.choice(["{0}", "{0}", "{0} * 1", "{0}[:, :]", "{0}.t().t()"])
        return way.format(self.choices.choice(self.matrices))

    def fill_list(self, indent: str, depth: int) -> None:
        """A list of matrices."""
        xs = self.fresh("xs")
        if self.choices.random() < 0.5:
            self.line(indent, f"{xs} = [{self.item()}, {self.item()}]")
        else:
            self.fill(indent, xs, self.item(), 2)
        self.lists.append(xs)
        self.use_list(indent, depth)

    def list_rows(self, indent: str, depth: int) -> None:
        """A list of the rows of a matrix."""
        xs = self.fresh("rs")
        self.fill(indent, xs, f"{self.choices.choice(self.matrices)}[i{self.count + 1}]", 3)
        self.row_lists.append(xs)

    def fill(self, indent: str, xs: str, item: str, count: int) -> None:
        """A loop that fills a list."""
        i = self.fresh("i")
        self.line(indent, f"{xs} = []")
        self.line(indent, f"{i} = dy2st.zeros([], 'int64')")
        self.line(indent, f"while {i} < {count}:")
        self.line(indent, f"    {xs}.append({item})")
        self.line(indent, f"    {i} = {i} + 1")

    def use_list(self, indent: str, depth: int) -> None:
        """A write to an element, another name for one, or another element."""
        xs = self.choices.choice(self.lists)
        number, element = self.choices.randint(1, 3), self.element(xs)
        way = self.choices.randrange(6)
        if way == 0:
            name = self.fresh("e")
            self.line(indent, f"{name} = {element}")
            self.matrices.append(name)
        elif way == 1:
            self.line(indent, f"{element} = {self.item()}")
        elif way == 2:
            self.line(indent, f"{xs}.append({self.item()})")
        elif way == 3:
            x = self.fresh("x")
            self.line(indent, f"for {x} in {xs}:")
            self.line(indent, f"    {x}.add_({number})")
        else:
            self.line(indent, self.choices.choice([f"{element}.add_({self.row()})", f"{element}[1].multiply_({number})"]))

    # --- dicts and objects ---------------------------------------------------------------------------------------------

    def make_dict(self, indent: str, depth: int) -> None:
        """A dict of two matrices."""
        d = self.fresh("d")
        self.line(indent, f"{d} = {{'x': {self.item()}, 'y': {self.item()}}}")
        self.places += [f"{d}['x']", f"{d}['y']"]
        self.use_place(indent, depth)

    def make_object(self, indent: str, depth: int) -> None:
        """An object that holds a matrix; or one that is another one on a path."""
        box, indent_inner = self.fresh("o"), indent
        if self.objects and self.choices.random() < 0.6:
            self.line(indent, f"{box} = {self.choices.choice(self.objects)}")
            self.line(indent, f"if {self.row()}.sum() > 0:")
            indent_inner += "    "
        self.line(indent_inner, f"{box} = Box()")
        self.line(indent_inner, f"{box}.v = {self.item()}")
        self.objects.append(box)
        self.places.append(f"{box}.v")
        self.use_place(indent, depth)

    def use_place(self, indent: str, depth: int) -> None:
        """A write to what a dict or an object holds, another name for it, or another tensor there."""
        place, way = self.choices.choice(self.places), self.choices.randrange(4)
        if way == 0:
            name = self.fresh("e")
            self.line(indent, f"{name} = {place}")
            self.matrices.append(name)
        elif way == 1:
            self.line(indent, f"{place} = {self.item()}")
        else:
            self.line(indent, f"{place}.add_({self.row()})")
