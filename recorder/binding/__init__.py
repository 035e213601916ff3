"""Records browsers other than Chromium, through Playwright's public names."""
