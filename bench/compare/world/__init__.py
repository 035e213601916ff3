"""Benches of `compare` on applications from PyPI, behind a proxy that adds what varies on real sites and plants a difference."""
