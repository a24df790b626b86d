"""The one view of Programs and traced modules: a page for the browser, and Graphviz's text.

Builders make a Picture: `program.py` of Programs, `traced_module/picture.py` of traced graphs. The scripts draw either.
"""

from .has_page import HasPage, inline, program_page, write_page

__all__ = ["HasPage", "inline", "program_page", "write_page"]
