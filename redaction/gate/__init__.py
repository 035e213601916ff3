"""Search a finished file for every known value, in all its layers."""
