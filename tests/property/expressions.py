"""Random expressions by kind.

Values stay small and exactly representable, so that answers compare without tolerance for overflow.
"""

from __future__ import annotations

from random import Random

from property.scope import Scope

INTS = ("0", "1", "2", "3", "-1", "5", "7")
FLOATS = ("0.5", "1.5", "-2.0", "0.25", "3.0")
TEXTS = ('"a"', '"b"', '"ab"', '""')
KEYS = ('"a"', '"b"', '"k"')
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Expressions:
    """Writes expressions over the names of a scope; `features` says which parts of the language this program uses."""

    def __init__(self, random: Random, features: set[str]):
        self.random, self.features = random, features

    def pick(self, *choices):
        return choices[self.random.randrange(len(choices))]

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def write(self, kind: str, scope: Scope, depth: int = 0) -> str:
        """An expression of the kind."""
        return getattr(self, f"_{kind}")(scope, depth)

    def name(self, kind: str, scope: Scope) -> str | None:
        """A bound name of the kind; now and then one that may be unbound."""
        unsure = scope.unsure(kind)
        if unsure and "unbound" in self.features and self.chance(0.15):
            return self.pick(*unsure)
        bound = scope.of(kind)
        return self.pick(*bound) if bound else None

    def _or_name(self, kind: str, scope: Scope, share: float) -> str | None:
        return self.name(kind, scope) if self.chance(share) else None

    # --- scalars -----------------------------------------------------------------------------------------------------

    def _i(self, scope: Scope, depth: int) -> str:
        found = self._or_name("i", scope, 0.45)
        if found or depth > 2:
            return found or self.pick(*INTS)
        ways = [
            lambda: self.pick(*INTS),
            lambda: f"{self._i(scope, depth + 1)} {self.pick('+', '-')} {self._i(scope, depth + 1)}",
            lambda: f"({self._i(scope, depth + 1)}) * {self.pick('2', '3')} % 23",
            lambda: f"({self._i(scope, depth + 1)}) {self.pick('//', '%')} {self.pick('2', '3', '-2')}",
            lambda: f"({self._i(scope, depth + 1)} if {self._c(scope, depth + 1)} else {self._i(scope, depth + 1)})",
            lambda: f"{self.pick('min', 'max')}({self._i(scope, depth + 1)}, {self._i(scope, depth + 1)})",
            lambda: f"({self._i(scope, depth + 1)} {self.pick('and', 'or')} {self._i(scope, depth + 1)})",
            lambda: "int(n)",
            lambda: f"abs({self._i(scope, depth + 1)})",
            lambda: f"int({self._s(scope, depth + 1)})",
            lambda: "x0.shape[0]",
            *self._int_readers(scope, depth),
        ]
        return self.pick(*ways)()

    def _int_readers(self, scope: Scope, depth: int) -> list:
        ways = []
        if items := self.name("l", scope):
            ways += [
                lambda: f"len({items})",
                lambda: f"{items}[{self._index(scope, depth)}]",
                lambda: f"sum({items})",
                lambda: f"first_over({items}, {self._i(scope, depth + 1)})",
                lambda: f"{items}.count({self._i(scope, depth + 1)})",
            ]
        if table := self.name("d", scope):
            ways += [
                lambda: f"{table}[{self.pick(*KEYS)}]",
                lambda: f"{table}.get({self.pick(*KEYS)}, {self._i(scope, depth + 1)})",
                lambda: f"len({table})",
            ]
        if box := self.name("o", scope):
            ways += [lambda: f"{box}.v", lambda: f"len({box}.log)", lambda: f"{box}.add({self._i(scope, depth + 1)})"]
        if pair := self.name("p", scope):
            ways.append(lambda: f"{pair}[0]")
        if nested := self.name("ll", scope):
            ways += [lambda: f"len({nested})", lambda: f"len({nested}[{self.pick('0', '-1')}])"]
        if "globals" in self.features:
            ways += [lambda: "COUNT", lambda: "KEEP.v", lambda: "len(SHARED)", lambda: 'TABLE["a"]', lambda: "len(KEEP.log)"]
        if "exceptions" in self.features:
            ways.append(lambda: f"check({self._i(scope, depth + 1)}, {self.pick('3', '5', '9')})")
        ways += [lambda f=f: f"{f}({self._i(scope, depth + 1)})" for f, kind in scope.functions.items() if kind == "i"]
        return ways

    def _index(self, scope: Scope, depth: int) -> str:
        return self.pick("0", "-1", "0", "-1", self._i(scope, depth + 2))

    def _f(self, scope: Scope, depth: int) -> str:
        found = self._or_name("f", scope, 0.4)
        if found or depth > 2:
            return found or self.pick(*FLOATS, *INTS)
        return self.pick(
            self.pick(*FLOATS),
            self._i(scope, depth + 1),
            f"({self._f(scope, depth + 1)}) {self.pick('+', '-')} {self._f(scope, depth + 1)}",
            f"({self._f(scope, depth + 1)}) {self.pick('* 0.5', '/ 2', '* 2 % 16', '// 2')}",
            f"float({self._i(scope, depth + 1)})",
            f"({self._f(scope, depth + 1)} if {self._c(scope, depth + 1)} else {self._f(scope, depth + 1)})",
        )

    def _g(self, scope: Scope, depth: int) -> str:
        found = self._or_name("g", scope, 0.5)
        if found or depth > 1:
            return found or self.pick(*TEXTS)
        return self.pick(
            self.pick(*TEXTS),
            f"({self._g(scope, depth + 1)} if {self._c(scope, depth + 1)} else {self._g(scope, depth + 1)})",
            f"{self._g(scope, depth + 2)} + {self.pick(*TEXTS)}",
        )

    # --- conditions --------------------------------------------------------------------------------------------------

    def _c(self, scope: Scope, depth: int) -> str:
        found = self._or_name("c", scope, 0.12)
        if found:
            return found
        if self.chance(0.6):
            return self._c_of_inputs(scope, depth)
        simple = [
            lambda: f"{self._s(scope, 2)} {self.pick('>', '<', '<=')} {self._s(scope, 2)}",
            lambda: f"{self._x(scope, 2)}.sum() {self.pick('>', '<')} {self.pick('0', '2', '3.5')}",
            lambda: f"{self._moving(scope)} {self.pick(*COMPARISONS)} {self._i(scope, 2)}",
            lambda: f"{self._moving(scope)} {self.pick(*COMPARISONS)} {self.pick('1', '2', '3')}",
            lambda: f"{self._f(scope, 2)} {self.pick('<', '>=')} {self._f(scope, 2)}",
        ]
        simple += self._container_conditions(scope)
        if depth > 1:
            return self.pick(*simple)()
        return self.pick(
            *simple,
            lambda: f"({self._c(scope, depth + 1)} {self.pick('and', 'or')} {self._c(scope, depth + 1)})",
            lambda: f"(not {self._c(scope, depth + 1)})",
            lambda: f"({self.pick('0', '-2')} < {self._moving(scope)} <= {self.pick('1', '3', '6')})",
            lambda: f"(0 <= {self._s(scope, 2)} < {self._s(scope, 2)})",
        )()

    def _c_of_inputs(self, scope: Scope, depth: int) -> str:
        """A condition that the inputs decide, now one way and now the other."""
        return self.pick(
            lambda: "b",
            lambda: "not b",
            lambda: f"x0.sum() {self.pick('>', '<')} {self.pick('0', '2', '1.0')}",
            lambda: f"x0[{self.pick('0', '-1')}] {self.pick('>', '<=')} {self.pick('0', '0.5', '1')}",
            lambda: f"n {self.pick(*COMPARISONS)} {self.pick('1', '2', '3')}",
            lambda: "n % 2 == 0",
            lambda: f"{self._moving(scope)} {self.pick('%', '//')} 2 == {self.pick('0', '1')}",
            lambda: (
                f"(x0.shape[0] {self.pick('>', '==')} {self.pick('1', '2')} {self.pick('and', 'or')} {self._c(scope, depth + 1)})"
            ),
        )()

    def _moving(self, scope: Scope) -> str:
        """An int that differs from call to call, or from iteration to iteration."""
        name = self.name("i", scope)
        return self.pick("int(n)", name, f"({name} + int(n))", f"({name} + x0.shape[0])") if name else "int(n)"

    def _container_conditions(self, scope: Scope) -> list:
        ways = []
        if items := self.name("l", scope):
            ways += [lambda: items, lambda: f"len({items}) > {self.pick('1', '2')}", lambda: f"({self._i(scope, 2)} in {items})"]
        if table := self.name("d", scope):
            ways.append(lambda: f"({self.pick(*KEYS)} in {table})")
        if text := self.name("g", scope):
            ways += [lambda: f"{text} == {self.pick(*TEXTS)}", lambda: text]
        if mixed := self.name("m", scope):
            ways += [lambda: f"({mixed} is None)", lambda: f"({mixed} is not None)"]
        lists = scope.of("l")
        if len(lists) > 1:
            ways.append(lambda: f"({self.pick(*lists)} is {self.pick(*lists)})")
        if "globals" in self.features:
            ways += [lambda: "COUNT > 2", lambda: "KEEP.v > 3"]
        return ways

    # --- tensors -----------------------------------------------------------------------------------------------------

    def _x(self, scope: Scope, depth: int) -> str:
        found = self._or_name("x", scope, 0.5)
        if found or depth > 2:
            return found or "x0"
        ways = [
            lambda: f"({self._x(scope, depth + 1)} {self.pick('+', '-')} {self.pick('1', '0.5', 'n', 'x0')})",
            lambda: f"({self._x(scope, depth + 1)} + {self._i(scope, depth + 1)})",
            lambda: f"({self._x(scope, depth + 1)} * {self._f(scope, 3)} * 0.5)",
            lambda: f"(-{self._x(scope, depth + 1)})",
            lambda: f"dy2st.abs({self._x(scope, depth + 1)})",
            lambda: f"({self._x(scope, depth + 1)} if {self._c(scope, depth + 1)} else {self._x(scope, depth + 1)})",
        ]
        if items := self.name("xs", scope):
            ways.append(lambda: f"{items}[{self._index(scope, depth)}]")
        if pair := self.name("p", scope):
            ways.append(lambda: f"{pair}[1]")
        if box := self.name("o", scope):
            ways.append(lambda: f"{box}.keep({self._x(scope, depth + 1)})")
        if "globals" in self.features:
            ways.append(lambda: "(x0 + WEIGHT)")
        return self.pick(*ways)()

    def _s(self, scope: Scope, depth: int) -> str:
        found = self._or_name("s", scope, 0.4)
        if found or depth > 2:
            return found or self.pick("n", "x0.sum()")
        return self.pick(
            "n",
            f"{self._x(scope, depth + 1)}.sum()",
            f"({self._s(scope, depth + 1)} {self.pick('+', '-')} {self.pick('1', 'n', '2')})",
            f"({self._s(scope, depth + 1)} * 2 % 17)",
            f"{self._x(scope, depth + 1)}[{self.pick('0', '-1')}]",
            f"(n + {self._i(scope, depth + 1)})",
        )

    # --- structures --------------------------------------------------------------------------------------------------

    def _l(self, scope: Scope, depth: int) -> str:
        found = self._or_name("l", scope, 0.35)
        if found or depth > 1:
            return found or self.pick("[]", "[1, 2]")
        ways = [
            lambda: "[]",
            lambda: f"[{self._i(scope, 2)}, {self._i(scope, 2)}, 4]",
            lambda: f"[{self._i(scope, 2)}]",
            lambda: f"({self._l(scope, depth + 1)} if {self._c(scope, 1)} else {self._l(scope, depth + 1)})",
        ]
        if items := self.name("l", scope):
            ways += [
                lambda: f"{items} + [{self._i(scope, 2)}]",
                lambda: f"{items}[1:]",
                lambda: f"list({items})",
                lambda: f"push_some({items}, {self._i(scope, 2)}, {self._c(scope, 1)})",
            ]
            if "comprehensions" in self.features:
                ways.append(lambda: f"[e + {self._i(scope, 2)} for e in {items}]")
        if nested := self.name("ll", scope):
            ways.append(lambda: f"{nested}[{self.pick('0', '-1')}]")
        if box := self.name("o", scope):
            ways.append(lambda: f"{box}.log")
        if "globals" in self.features:
            ways.append(lambda: "SHARED")
        return self.pick(*ways)()

    def _xs(self, scope: Scope, depth: int) -> str:
        found = self._or_name("xs", scope, 0.35)
        return found or self.pick("[]", f"[{self._x(scope, 1)}]", f"[{self._x(scope, 1)}, x0]")

    def _ll(self, scope: Scope, depth: int) -> str:
        found = self._or_name("ll", scope, 0.35)
        return found or self.pick("[[]]", f"[{self._l(scope, 1)}, {self._l(scope, 1)}]", f"[{self._l(scope, 1)}]")

    def _d(self, scope: Scope, depth: int) -> str:
        found = self._or_name("d", scope, 0.35)
        if not found and "globals" in self.features and self.chance(0.3):
            return "TABLE"
        return found or self.pick(f'{{"a": {self._i(scope, 2)}}}', f'{{"a": 1, "b": {self._i(scope, 2)}}}', '{"a": 2, "k": 3}')

    def _p(self, scope: Scope, depth: int) -> str:
        found = self._or_name("p", scope, 0.35)
        return found or f"({self._i(scope, 1)}, {self._x(scope, 1)})"

    def _o(self, scope: Scope, depth: int) -> str:
        found = self._or_name("o", scope, 0.4)
        if not found and "globals" in self.features and self.chance(0.3):
            return "KEEP"
        return found or f"Box({self._i(scope, 2)})"

    def _m(self, scope: Scope, depth: int) -> str:
        found = self._or_name("m", scope, 0.2)
        kinds = ["i", "x", "g", "p", "s"] + [k for k in ("l", "o", "d", "xs") if scope.of(k)]
        return found or self.pick("None", "None", *(self.write(k, scope, 1) for k in self.random.sample(kinds, 2)))
