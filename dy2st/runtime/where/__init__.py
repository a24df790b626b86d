"""Where in the user's code something happens: which code is whose, lines, warnings, tracebacks."""
