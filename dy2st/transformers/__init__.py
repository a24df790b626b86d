"""Python source in, Python source out: rewrites functions so that every decision and call goes through `_jst`."""

from .transpile import Transpiled, can_split, transpile

__all__ = ["Transpiled", "can_split", "transpile"]
