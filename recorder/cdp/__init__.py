"""Records Chromium through the Chrome DevTools Protocol (CDP)."""
