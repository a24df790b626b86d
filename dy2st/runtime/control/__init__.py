"""Staged control flow: trials of paths, loops, recursion, calls of Functions."""
