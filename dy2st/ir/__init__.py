"""The Program as plain data: types, core, text, rules."""
