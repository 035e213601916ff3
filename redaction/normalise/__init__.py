"""Undo escapes and disguises in texts, in the same way for the detector, the search for known values, and the gate."""
