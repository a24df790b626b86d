"""A loop for the rows of a matrix."""


def rows(count, row, width):
    """The parts of `row(0)`, `row(1)`, ...: a list for each of the `width` parts of a row."""
    made = tuple([] for _ in range(width))
    for k in range(count):
        for one, part in zip(made, row(k)):
            one.append(part)
    return made
