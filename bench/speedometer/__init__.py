"""bench/speedometer: how much CPU time recording adds to the main thread on Speedometer's whole applications.

    python -m bench.speedometer CHECKOUT [--rounds 3] [--suite NAME …] [--iterations 1] [--json FILE] [--profile]

CHECKOUT is a work tree of WebKit/Speedometer (release 3); nothing of it is part of this repository. It is served on loopback, and each round runs the
default suites once without a recorder, once recorded by `pagereel.record` (the whole recorder, network and self-checks included) and once by rrweb (in
the page, through the same kind of binding). Compared is the CPU time of the page's main thread (`TaskDuration`, time domain `threadTicks`), from the start
of the suites to their end.
"""
