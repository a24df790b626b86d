"""Every kind of function, called by every kind of caller, with every kind of effect: as plain Python, or refused in words."""
