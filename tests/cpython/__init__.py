"""CPython's own tests of its library, on modules of that library which dy2st has rewritten: all must still pass."""
