"""Breaks the long lines of written source where a person would: after a comma, as far out as possible.

    y = _jst.convert_ifelse(_jst.call(x.mean)() > 0.5,
            true_fn_0, false_fn_0, (y,))
"""

import itertools

CONTINUATION = " " * 8
OPENING, CLOSING = ("(", "[", "{"), (")", "]", "}")


def wrapped(pieces, width: int) -> str:
    """The text of the pieces that a writer of source made; a piece that starts with a newline starts a line."""
    lines: list[list[str]] = [[]]
    for piece in pieces:
        if piece.startswith("\n"):
            lines.append([])
            lines[-2].append(piece)
        elif piece:
            lines[-1].append(piece)
    return "".join(_broken(line, width) for line in lines)


def _broken(line: list[str], width: int) -> str:
    """The text of one logical line, in several where it is too long."""
    text = "".join(line)
    if len(text.rstrip("\n")) <= width or "\n" in text.rstrip("\n"):
        return text
    ends = list(itertools.accumulate(map(len, line)))
    depths = list(itertools.accumulate((piece in OPENING) - (piece in CLOSING) for piece in line))
    indent = text[: len(text) - len(text.lstrip())] + CONTINUATION
    done, start, room = "", 0, width
    while ends[-1] - (ends[start - 1] if start else 0) > room + 1:
        at = _break(line, depths, start, room)
        if at is None:
            break
        done += "".join(line[start:at]).rstrip() + "\n" + indent
        start, room = at, width - len(indent)
    return done + "".join(line[start:])


def _break(line: list[str], depths: list[int], start: int, room: int) -> int | None:
    """Before which piece to break: after a comma or, if there is none, a bracket; the last one of those that are least deep."""
    best = None
    length = 0
    for position in range(start, len(line) - 1):
        piece = line[position]
        length += len(piece)
        if best is not None and length > room:
            break
        if (piece == ", " or (piece in OPENING and position > start)) and depths[position] > 0:
            rank = 2 * depths[position] + (piece in OPENING)
            if best is None or rank <= best[0]:
                best = rank, position + 1
    return None if best is None else best[1]
