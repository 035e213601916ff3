"""What everything else runs on: the caller's thread or loop, the clock, the options."""
