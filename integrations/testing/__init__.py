"""The parts of the pytest plugin: when a replay is kept, test outcomes, comparisons, background builds, links in reports."""
