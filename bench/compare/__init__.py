"""bench/compare: how often `compare` names a single difference that was planted in a run, and how often it takes repeats for different.

    python -m bench.compare [--app NAME …] [--fault NAME …] [--rounds 2] [--repeats 5] [--keep FOLDER] [--json FILE]

Six applications run on this machine: the demo's shop and five small ones. Their ids, tokens, clocks, adverts, latencies and polls differ from
run to run. An agent with a fixed script, model calls and tools works in each of them. For each app and round there are one run that all others are
compared with, three runs as its baseline, one run for each planted difference, and so many repeats without one. A pair is right where the divergence
is of the kind that was planted and names it.
"""
