"""Python source in, Python source out: rewrites functions so that every decision and call goes through `_jst`."""

from .transpile import Transpiled, is_converted, transpile

__all__ = ["Transpiled", "is_converted", "transpile"]
