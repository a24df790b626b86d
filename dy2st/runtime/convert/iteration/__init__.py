"""Loops, comprehensions and generators: what gives items, and what takes them."""
