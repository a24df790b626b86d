"""Words of the Program's text form: how a name is written, and how a line falls into tokens."""

from __future__ import annotations

import json
import re

from .visible import HIDDEN

WORD = re.compile(r"[A-Za-z_][\w.$]*")
# A comment runs to the end of the line; the tokens of one line never span two.
_TOKEN = re.compile(
    r"""[ \t]*(?:
        (?P<comment>\#.*)
      | (?P<quote>")                                       # a text, whose end `_end_of_text` finds
      | (?P<token> ->
          | %[\w.]+                                        # a value
          | \$[0-9]+                                       # an operand seen from an attribute
          | -?0x[0-9a-f]+
          | -?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?
          | -inf
          | [A-Za-z_][\w.$]*
          | [\[\](){}<>|,:;?*&=@]
        ))""",
    re.VERBOSE,
)
# One class of characters takes no memory, where a group that is repeated takes 160 bytes each time.
_PLAIN = re.compile(r'[^"\\\n]*')


def quote(text: str) -> str:
    """`text` as a double-quoted literal on one line."""
    return HIDDEN.sub(lambda match: json.dumps(match.group())[1:-1], json.dumps(text, ensure_ascii=False))


def unquote(token: str) -> str:
    """The text of a double-quoted literal; ValueError in words otherwise."""
    if len(token) < 2 or token[0] != '"':
        raise ValueError(f"expected a quoted text, found {token!r}")
    try:
        return json.loads(token)
    except ValueError as error:
        raise ValueError(f"{token} is not a quoted text: {error}") from None


def write_word(text: str) -> str:
    """A name as it stands, or quoted where it isn't a plain word."""
    return text if WORD.fullmatch(text) else quote(text)


def read_word(token: str) -> str:
    """The name that `write_word` wrote."""
    if token[:1] == '"':
        return unquote(token)
    if not WORD.fullmatch(token):
        raise ValueError(f"expected a name, found {token or 'the end'}")
    return token


def _end_of_text(text: str, at: int) -> int:
    """Where the quoted text ends that begins at `at`; ValueError where it doesn't."""
    start, at = at, at + 1
    while True:
        at = _PLAIN.match(text, at).end()  # type: ignore[union-attr]
        if text[at : at + 1] == '"':
            return at + 1
        if text[at : at + 1] != "\\" or text[at + 1 : at + 2] in ("", "\n"):
            raise ValueError(f"can't read {text[start:][:20]!r} at column {start + 1}")
        at += 2


def tokenize(text: str) -> tuple[list[str], str]:
    """The tokens of one line, and its trailing comment without the `#`; ValueError names the column."""
    tokens: list[str] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"can't read {text[at:end][:20]!r} at column {at + 1}")
        if match.group("comment"):
            return tokens, match.group("comment")[1:].strip()
        start, at = match.start(match.lastgroup), match.end()  # type: ignore[arg-type]
        if match.group("quote"):
            at = _end_of_text(text, start)
        tokens.append(text[start:at])
    return tokens, ""


class Tokens:
    """A cursor over the tokens of one line."""

    def __init__(self, text: str):
        self.text = text.strip()
        self.tokens, self.comment = tokenize(text)
        self.at = 0
        self.depth = 0  # of nested types or literals, bounded by their readers

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        """The next token; ValueError where there is none or it isn't `expected`."""
        token = self.peek()
        if not token or (expected is not None and token != expected):
            raise ValueError(f"expected {expected or 'more'}, found {token or 'the end'} in: {self.text[:200]}")
        self.at += 1
        return token

    def skip(self, token: str) -> bool:
        """Take `token` if it comes next."""
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def many(self, read, close: str, between: str = ",") -> list:
        """Items up to and with `close`."""
        found: list = []
        while not self.skip(close):
            if found:
                self.take(between)
            found.append(read())
        return found
