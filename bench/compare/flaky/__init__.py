"""bench/compare/flaky: a test that now and then fails, in a suite as people have them, and what its comparison says.

    python -m bench.compare.flaky [--chance] [--keep FOLDER]

An order form made with Shiny (PyPI) fetches a price; a test orders without waiting for it. pytest runs the test with pytest-rerunfailures and ``--replay-compare retries`` until it
failed and then passed, prints what stands beside the replay, and holds it to what a person needs to know: the price was not there yet when the order was made. Without ``--chance`` the
first fetch is slow and the others are not; with it some are, as it comes.
"""
