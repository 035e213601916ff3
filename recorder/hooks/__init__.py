"""Listens to Playwright's own calls."""
