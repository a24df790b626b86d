"""HTML pages that are one file each and ask nothing of the network: the frame that all of them have."""

from .frame import Page

__all__ = ["Page"]
