"""Random expressions by kind.

Values stay small and exactly representable, so that answers compare without tolerance for overflow.
"""

from __future__ import annotations

from property.choices import COMPARISONS, FLOATS, INTS, KEYS, TEXTS
from property.scope import Scope
from property.structures import Structures


class Expressions(Structures):
    """Writes expressions over the names of a scope."""

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
        ways += [lambda f=f: f"{f}({self._i(scope, depth + 1)} % 6)" for f, kind in scope.functions.items() if kind == "bounded"]
        return ways + self._more_int_readers(scope, depth)

    def _more_int_readers(self, scope: Scope, depth: int) -> list:
        ways = []
        if numbers := self.name("t", scope):
            ways += [lambda: f"len({numbers})", lambda: f"sum({numbers})", lambda: f"max({numbers}, default=0)"]
        if some := self.name("u", scope):
            ways += [lambda: f"len({some})", lambda: f"{some}[{self._index(scope, depth)}]", lambda: f"total(*{some})"]
        if point := self.name("q", scope):
            ways += [lambda: f"{point}.v", lambda: f"{point}.moved({self._i(scope, depth + 1)}).v"]
        if reading := self.name("r", scope):
            ways += [lambda: f"{reading}.count", lambda: f"{reading}[0]"]
        if function := self.name("j", scope):
            ways += [lambda: f"{function}({self._i(scope, depth + 1)})", lambda: f"apply({function}, {self._small(scope)})"]
        if text := self.name("g", scope):
            ways.append(lambda: f"len({text})")
        for feature, writer in (
            ("generators", self._i_of_generators),
            ("comprehensions", self._i_of_comprehensions),
            ("recursion", self._i_of_recursion),
            ("order", self._i_of_order),
            ("arguments", self._i_of_arguments),
        ):
            if feature in self.features:
                ways += [lambda writer=writer: writer(scope)] * 2
        return ways

    def _i_of_generators(self, scope: Scope) -> str:
        items = self._generated(scope)
        return self.pick(f"sum({items})", f"len(list({items}))", f"next({items}, 3)", f"max({items}, default=-1)")

    def _i_of_comprehensions(self, scope: Scope) -> str:
        inside = self._comprehended(scope)
        return self.pick(f"sum({inside})", f"len([{inside}])", f"max(({inside}), default=0)", f"len({{{inside}}})")

    def _i_of_recursion(self, scope: Scope) -> str:
        bound = self.pick("int(n)", self._small(scope), "3")
        return self.pick(f"steps({bound} % 9)", f"fib({bound} % 6)", f"len(digits({bound}, []))", f"int(is_even({bound} % 5))")

    def _i_of_order(self, scope: Scope) -> str:
        a, b, c = self._small(scope), self._small(scope), self._small(scope)
        by = self.pick("lambda e: e % 3", "lambda e: -e", f"lambda e: abs(e - {self._small(scope)})")
        return f"{self.pick('min', 'max')}({self.pick(f'{a}, {b}', f'[{a}, {b}, {c}]')}, key={by})"

    def _i_of_arguments(self, scope: Scope) -> str:
        a, b = self._small(scope), self._small(scope)
        items = self.items(scope)
        tables = scope.of("d")
        return self.pick(
            f"total({a}, {b}, by={self._small(scope)})",
            f"total({a}, *{self.pick(*items) if items else '()'}, by=2)",
            f"options({a}, b={b})",
            f"options({a}, **{self.pick(*tables) if tables else '{}'})",
        )

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
            *(self._formatted(scope, depth) if "text" in self.features else ()),
        )

    def _formatted(self, scope: Scope, depth: int) -> tuple[str, ...]:
        number = self._small(scope)
        return (
            f'f"{{{number}}}"' if '"' not in number else f"str({number})",
            f'f"{{{self.pick("int(n)", *scope.of("i"))}:+03d}}|"',
            f'"%d of %s" % ({number}, {self._small(scope)})',
            f'"{{}}-{{:>3}}".format({number}, {self._g(scope, depth + 2)})',
            self._g(scope, depth + 2) + self.pick(".upper()", ".strip()", '.replace("a", "c")'),
            f'"-".join([{self._g(scope, depth + 2)}, {self.pick(*TEXTS)}])',
        )

    # --- conditions --------------------------------------------------------------------------------------------------

    def _c(self, scope: Scope, depth: int) -> str:
        found = self._or_name("c", scope, 0.12)
        if found:
            return found
        if self.chance(0.75):
            return self._c_of_inputs(scope, depth)
        simple = [
            lambda: f"{self._s(scope, 2)} {self.pick('>', '<', '<=')} {self._s(scope, 2)}",
            lambda: f"{self._x(scope, 2)}.sum() {self.pick('>', '<')} {self.pick('0', '2', '3.5')}",
            lambda: f"{self._moving(scope)} {self.pick(*COMPARISONS)} {self._i(scope, 2)}",
            lambda: f"{self._moving(scope)} {self.pick(*COMPARISONS)} {self.pick('1', '2', '3')}",
            lambda: f"{self._f(scope, 2)} {self.pick('<', '>=')} {self._moving(scope)}",
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
        if numbers := self.name("t", scope):
            ways += [lambda: numbers, lambda: f"({self._i(scope, 2)} in {numbers})", lambda: f"({numbers} <= {{0, 1, 2, 3}})"]
        if some := self.name("u", scope):
            ways += [lambda: some, lambda: f"({self._i(scope, 2)} in {some})"]
        if point := self.name("q", scope):
            ways += [lambda: f"{point}.v > 2"]
        if "comprehensions" in self.features:
            ways += [lambda: f"{self.pick('any', 'all')}(e > {self._small(scope)} for e in {self.pick('range(n)', '(1, 3)')})"]
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
        if point := self.name("q", scope):
            ways.append(lambda: f"{point}.x")
        if reading := self.name("r", scope):
            ways.append(lambda: f"{reading}.value")
        if "recursion" in self.features:
            ways.append(lambda: f"halved({self._x(scope, depth + 1)}, {self.pick('int(n)', '2', self._small(scope))})")
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
            *(self._sliced(scope, depth) if "slices" in self.features else ()),
        )

    def _sliced(self, scope: Scope, depth: int) -> tuple[str, ...]:
        vector = self._x(scope, depth + 1)
        return (
            f"{vector}[:{self._small(scope)}].sum()",
            f"{vector}[{self._small(scope)}:].sum()",
            f"{vector}[int(n) % x0.shape[0]]",
            f"{vector}[{vector} > {self.pick('0', '1')}].sum()",
        )
