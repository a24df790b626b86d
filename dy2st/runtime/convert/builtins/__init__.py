"""Python's built-in functions and library, on values that only the Program knows."""
