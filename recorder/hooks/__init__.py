"""Hooks that listen to Playwright's own calls."""
