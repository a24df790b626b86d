"""`to_static`: functions that stage themselves for each kind of arguments, and the Programs that they keep."""
