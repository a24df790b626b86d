"""Calls and `with`: what is called in place of the user's functions, and with which arguments."""
