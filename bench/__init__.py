"""bench: measures pagereel's costs and accuracy, mostly beside its peers.

`python -m bench` runs what fits one machine and writes docs/performance.md. Each folder is a bench of its own
(`python -m bench.page --help`); figures are written as JSON below `out/bench/`.
"""
