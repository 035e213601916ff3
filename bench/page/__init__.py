"""bench/page: how much CPU time of the page's main thread recording takes, with rrweb beside it.

    python -m bench.page [--rounds 7] [--workload NAME …] [--json FILE]

Each sample is a fresh page: it is prepared, the recorder is started (or none is), one workload runs in one task, and the page is left alone until the
recorder has delivered everything. Figures are CPU time of the main thread from CDP (`Performance.getMetrics` with `timeDomain: threadTicks`), minus the
same workload without a recorder; the three variants take turns in every round. Both recorders send their batches through the same raw CDP binding, at
the same intervals.
"""
