"""What a name holds where two paths meet, and how values cross the edge of a Block."""
