"""The model proxy beside the same traffic without it: bytes, time to the first token, what is kept of fifty turns, keys.

python -m bench.wire [--rounds N] [--json FILE]
"""
