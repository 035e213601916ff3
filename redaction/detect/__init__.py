"""Finds personal data and secrets in a text."""
