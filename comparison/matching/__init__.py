"""Matches sequences, steps and calls, JSON values, and trees of two runs."""
