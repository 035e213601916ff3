"""Benches of the redaction; `python -m bench.redaction --help` lists the measures."""
