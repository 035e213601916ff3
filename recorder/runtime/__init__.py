"""The base of the recorder: the caller's thread or loop, the clock, the options."""
