"""Text from anywhere on one line: what a terminal would obey, or a reader would not see, is shown as an escape."""

from __future__ import annotations

import re

# Control codes, separators, bidirectional and zero-width characters, halves of surrogate pairs. The ranges are written out:
# what Python calls printable differs between its versions, and a saved text must not.
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    r"""`text` on one line, with escapes as in a Python literal: a newline is `\n`, a right-to-left override `\u202e`."""
    return HIDDEN.sub(lambda match: match.group().encode("unicode_escape").decode(), text)
