"""Measures of the redaction: `python -m bench.redaction --help`."""
