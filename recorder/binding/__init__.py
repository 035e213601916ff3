"""Other browsers, through Playwright's public names."""
