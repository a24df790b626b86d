"""What the docstrings of a family of functions share, where one function makes them all."""

BROADCAST = """x, y: tensors, one of them may be a Python number; shapes broadcast, dtypes are promoted. The result has the
broadcast shape and the promoted dtype"""
TO_BOOL = """x, y: tensors of any dtype, one of them may be a Python number; shapes broadcast. The result is a bool tensor of
the broadcast shape."""
BITS = """x, y: tensors of integers or bools, one of them may be a Python number; shapes broadcast, dtypes are promoted. The
result has the broadcast shape and the promoted dtype. DTypeError: other dtypes."""
BY_NAME = "TypeError: an `out` that comes by its place."
FLAG = "x: a tensor of any shape and dtype; the result is a bool tensor of its shape."
FRACTIONS = ", the default dtype where both are integers or bools"
FLOAT_OR_COMPLEX = """x: a tensor of any shape, float or complex; integers and bools are cast to the default dtype. The
result has its shape and dtype."""
FLOAT = """x: a tensor of any shape, of floats; integers and bools are cast to the default dtype. The result has its
shape and dtype."""
NUMBERS = "x: a tensor of any shape and of any dtype but bool; the result has its shape and dtype."
REDUCED = """x: a tensor of any shape. axis: None for all axes, an int or a list of ints. The result lacks these axes; with
`keepdim` they have length 1."""
