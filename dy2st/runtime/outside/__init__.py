"""What staging reads from outside the call: where objects live, what was learnt, and the guards over it."""
