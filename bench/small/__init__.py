"""bench/small: how much CPU time and disk a small test's replay costs, with Playwright's trace of the same test beside it.

    python -m bench.small [--tests 40] [--json FILE]

Small tests of one application are recorded: a page with a form and a table of other people each time, a word typed, a button pressed. A process of its
own builds them one after the other, redacted as by default: the first build has the models to load, the others are what each further test costs. Then all
of them are built by two processes. Sizes are medians. CPU time is measured, because other processes are not in it; the replays an hour are by wall time.
"""
