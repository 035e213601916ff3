"""Prove that no known value is in a finished file."""
