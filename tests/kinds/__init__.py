"""Values that are one of several kinds, in every built-in, operator, method and statement that takes one."""
