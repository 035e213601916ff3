"""Hooks that report Playwright's calls to the recorder."""
