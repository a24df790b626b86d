"""What the commands raise for wrong usage."""


class UsageError(Exception):
    """What the user typed can't be used; ends the command with exit code 2."""
