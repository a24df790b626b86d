"""The texts of containers that only the Program knows, of what they hold: `repr` asks each item."""


def of_items(items):
    """What stands between the brackets of a list, a tuple or a set."""
    return ", ".join([repr(item) for item in items])


def of_entries(entries):
    """What stands between the braces of a dict."""
    return ", ".join([f"{key!r}: {value!r}" for key, value in entries.items()])


def of_tuple(items):
    """The text of a tuple, which has a comma after its only item."""
    text = of_items(items)
    return f"({text},)" if len(items) == 1 else f"({text})"


def of_set(items):
    """The text of a set, which has no brackets of its own where it is empty."""
    return f"{{{of_items(items)}}}" if items else "set()"
