"""The user's source and the rewritten text of a function as a unified diff, all lines of both."""

from __future__ import annotations

from difflib import SequenceMatcher

from .functions import Reviewed, shown_path


def unified(function: Reviewed) -> list[str]:
    """The lines of the diff; two lines of heading, and what says so, where rewriting changes nothing."""
    old, new = ([line.text for line in lines] for lines in (function.source, function.rewritten))
    heading = [f"--- {shown_path(function.file)}:{function.first} {function.name}", f"+++ rewritten {function.name}"]
    if old == new:
        return [*heading, " nothing is rewritten"]
    found = [*heading, f"@@ -{function.first},{len(old)} +1,{len(new)} @@"]
    for kind, i, i_end, j, j_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            found += [f" {text}" for text in old[i:i_end]]
        else:
            found += [f"-{text}" for text in old[i:i_end]] + [f"+{text}" for text in new[j:j_end]]
    return found
