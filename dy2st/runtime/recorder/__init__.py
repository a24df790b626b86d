"""The recorder: the mode in which operators become Operations, and what watches the user's code meanwhile."""
