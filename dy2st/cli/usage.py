"""What the commands raise where they say themselves what is wrong."""


class UsageError(Exception):
    """What the user typed can't be used; ends the command with exit code 2."""


class FailedError(Exception):
    """What was asked for failed; ends the command with its exit code for that."""
