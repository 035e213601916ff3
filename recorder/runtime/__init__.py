"""The base of the recorder: the runners for Playwright's two APIs, the clock, the options, and conversions of values."""
