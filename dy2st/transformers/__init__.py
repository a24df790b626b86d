"""Python source in, Python source out: rewrites functions so that every decision and call goes through `_jst`."""

from .transpile import Transpiled, transpile

__all__ = ["Transpiled", "transpile"]
