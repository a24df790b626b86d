"""Graphs to look at: a page for the browser, and Graphviz's text."""

from .dot import dot_text  # noqa: F401
from .page import page_text  # noqa: F401
