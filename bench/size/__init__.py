"""bench/size: how many bytes a recorded run takes on disk, with rrweb and Playwright's tracing beside it.

    python -m bench.size [--json FILE]

The shop's errand of `pagereel demo` is run once for each recorder, in the same browser and at the same pace: pagereel, rrweb 2.2.2 (its default
options), and Playwright's tracing with DOM snapshots, with and without screenshots.
"""
