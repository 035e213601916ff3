"""bench/compare: single differences planted on pages that are never twice the same; which of them `compare` names first, and what it says of repeats.

    python -m bench.compare [--app NAME …] [--fault NAME …] [--rounds 2] [--repeats 5] [--keep FOLDER] [--json FILE]

Six applications run on this machine: the demo's shop and five small ones. Their ids, tokens, clocks, adverts, latencies and polls differ from run to run. A
script that thinks aloud (model calls, tools) works each of them. For each app and round: one run to hold against, three runs as its baseline, one run for
each planted difference, and so many repeats without one. A pair is right where the divergence is of the kind that was planted and names it.
"""
