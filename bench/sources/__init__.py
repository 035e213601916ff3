"""bench/sources: whether our replay of a Playwright trace shows the same text as Playwright's own viewer, for several Playwright releases."""
