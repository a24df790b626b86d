"""What Python does with the arguments of a call, where only the Program knows how many there are."""

from __future__ import annotations

from typing import NamedTuple


class Parameters(NamedTuple):
    """The parameters of a function, by name. required: those by position that have no default; needed: those by keyword only."""

    name: str
    full_name: str
    only_positional: tuple
    positional: tuple
    required: tuple
    only_keyword: tuple
    needed: tuple
    has_rest: bool
    has_more: bool

    def by_keyword(self):
        """Those that an argument by keyword may be for."""
        return (*self.positional[len(self.only_positional) :], *self.only_keyword)


def check(parameters, count, named, more):
    """Raise what Python raises for `count` arguments by position, the keywords `named`, and those of the dict `more`."""
    name, by_keyword = parameters.name, parameters.by_keyword()
    for key in more:
        if not isinstance(key, str):
            raise TypeError("keywords must be strings")
        if key in named:
            raise TypeError(f"{parameters.full_name}() got multiple values for keyword argument '{key}'")
    given = [*named, *more]
    for key in given:
        if key in by_keyword:
            if key in parameters.positional[:count]:
                raise TypeError(f"{name}() got multiple values for argument '{key}'")
        elif not parameters.has_more:
            if key in parameters.only_positional:
                raise TypeError(f"{name}() got some positional-only arguments passed as keyword arguments: '{key}'")
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
    if not parameters.has_rest and count > len(parameters.positional):
        raise TypeError(too_many(parameters, count, len([key for key in given if key in parameters.only_keyword])))
    absent = [key for key in parameters.required[count:] if key not in given or key in parameters.only_positional]
    if absent:
        raise TypeError(missing(name, "positional", absent))
    absent = [key for key in parameters.needed if key not in given]
    if absent:
        raise TypeError(missing(name, "keyword-only", absent))


def too_many(parameters, count, only):
    """What Python says of too many arguments by position, next to `only` of those by keyword only."""
    most, least = len(parameters.positional), len(parameters.required)
    takes = f"from {least} to {most} positional arguments"
    if most == least:
        takes = f"{most} positional argument{'' if most == 1 else 's'}"
    given = f"{count}"
    if only:
        given += f" positional argument{'' if count == 1 else 's'} (and {only} keyword-only argument{'' if only == 1 else 's'})"
    return f"{parameters.name}() takes {takes} but {given} {'was' if count == 1 and not only else 'were'} given"


def missing(name, kind, absent):
    """What Python says of arguments that aren't given."""
    quoted = [f"'{key}'" for key in absent]
    if len(quoted) < 3:
        text = " and ".join(quoted)
    else:
        text = ", ".join(quoted[:-1]) + ", and " + quoted[-1]
    return f"{name}() missing {len(quoted)} required {kind} argument{'' if len(quoted) == 1 else 's'}: {text}"


def others(more, names):
    """What `**more` of a function gets of a dict."""
    found = dict(more)
    for name in names:
        if name in found:
            del found[name]  # by name, so that each of the others keeps a type of its own
    return found
