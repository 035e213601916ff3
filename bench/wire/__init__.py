"""bench/wire: what the model proxy adds to model traffic: changed bytes, time to the first token, disk space of fifty turns, leaked keys.

python -m bench.wire [--rounds N] [--json FILE]
"""
