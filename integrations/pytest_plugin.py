"""The pytest plugin: a replay of the tests that failed, as easily as a Playwright trace."""
