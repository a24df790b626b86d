"""What rewriting makes of an author's source, to be read by a reviewer: as a unified diff, and as a page."""

from .difference import unified
from .functions import all_reviewed, functions_of, reviewed, subject_of
from .page import page, review_data

__all__ = ["all_reviewed", "functions_of", "page", "review_data", "reviewed", "subject_of", "unified"]
