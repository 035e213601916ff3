"""Trains the net of letters."""
