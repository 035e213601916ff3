"""Proves that no known value is in what was made."""
