"""The heap of the code being staged: containers and objects, what they hold, and the journal of what was written to them."""
