"""The parts of the pytest plugin: when a replay is kept, a test's outcome, comparisons, background builds, links in reports."""
