"""Rows of `docs/python-support.md` in the syntax of later Pythons, as text: the first version that reads it, and the function."""

FUNCTIONS = {
    "TryStar": ((3, 11), '''
def TryStar(x, n):
    try:
        if n > 1:
            raise ExceptionGroup("two", [ValueError(1)])
        found = 0
    except* ValueError:
        found = 1
    return found
'''),
    "TypeAlias": ((3, 12), '''
def TypeAlias(x, n):
    type Number = int
    return x
'''),
    "FunctionDef_typed": ((3, 12), '''
def FunctionDef_typed(x, n):
    def first[T, *Ts, **P](a: T, b: T) -> T:
        return a

    return first(x, n)
'''),
    "TemplateStr": ((3, 14), '''
def TemplateStr(x, n):
    template = t"{n + 1:>4} and {x.sum()!r}"
    first, last = template.interpolations
    return first.value, first.expression, first.format_spec, last.value, last.conversion, template.strings
'''),
}
