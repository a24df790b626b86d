"""What goes on for longer than a second is shown: a bar or a line on a terminal, a line in a notebook; nothing elsewhere.

`DY2ST_PROGRESS=0` in the environment turns it off.
"""

from .going import Progress, set_aside, working

__all__ = ["Progress", "set_aside", "working"]
