"""The parts of the pytest plugin: recording modes, test outcomes, comparisons, background builds, links in reports."""
