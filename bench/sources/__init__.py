"""Traces of several Playwright releases on pages that are not ours: what Playwright's own viewer shows against what our replay shows."""
