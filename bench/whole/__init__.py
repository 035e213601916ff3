"""bench/whole: how much CPU time of the page's main thread the whole recorder takes, as a user runs it, with rrweb beside it.

    python -m bench.whole [--rounds 3] [--loads 9] [--idle 12] [--workload NAME …] [--json FILE]

`bench.page` measures the injector alone and leaves the self-check out; here `pagereel.record()` is on the context, with self-checks, layout checks, network
and all. Measured is the CPU time of the page's main thread as the kernel counts it, which other processes are not in:

- the workloads of `bench.page`, from the workload's start until 2 s after its end, less the same without a recorder;
- the fixed part: a load of a page of 100 elements and the 2 s after it;
- idleness: a page in which nothing happens, once it is calm.

The recorders take turns. The longest task is the browser's own `longtask` entry, so 0 means under 50 ms, on pages without layout; it is wall time, and
on a machine that others use their work is in it.
"""
