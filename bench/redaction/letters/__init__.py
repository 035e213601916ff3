"""Trains the net of letters, which finds personal data character by character in scripts other than Latin."""
