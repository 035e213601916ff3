"""bench/small: what a test's recording costs after the test, with Playwright's trace of the same test beside it.

    python -m bench.small [--tests 40] [--json FILE]

Small tests of one application are recorded: a page with a form and a table of other people each time, a word typed, a button pressed. A process of its own builds them
one after the other, redacted as by default: the first has the models to load, the others are what each further test pays. Then all of them are built by two processes.
Sizes are medians. Processor time, because neighbours are not in it; what an hour gives is by the wall.
"""
