"""Staging one function, from its arguments to its Program."""
