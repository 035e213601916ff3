"""Which is which: sequences, steps and calls, JSON values."""
