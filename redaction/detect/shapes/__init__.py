"""Shapes of personal data: numbers, addresses, secrets, names in names of things."""
