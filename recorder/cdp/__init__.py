"""Chromium, through the browser's own protocol."""
