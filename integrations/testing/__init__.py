"""What the pytest plugin is made of: when a replay is kept, what pytest says of a test, comparisons, building beside the tests, links in reports."""
