"""bench/suites: public end-to-end suites of other projects, run in place with and without recording.

    python -m bench.suites streamlit CHECKOUT PYTHON [--rounds 2] [--break] [--json FILE] [--keep FOLDER]
    python -m bench.suites py-shiny CHECKOUT PYTHON

CHECKOUT is a work tree of the project's public repository, PYTHON an environment with the packages that `bench/suites/lists.py`
names and this pagereel (`pip install -e '.[redaction,pytest]'`). Nothing of the project is copied here, and nothing in it is changed.

Thirty tests run plain, with `--tracing on`, with `--replay retain-on-failure` and with `--replay on`, in turns (`--modes` names
some). Printed are the tests that passed, whether the set is the same, wall time and CPU time (of all processes) with their
ratios, what building the replays took of it, warnings of ours, and what each recording says of itself: checkpoints, gaps, what is
not recorded. With `--break` three of the tests are made to fail at their end and run with `--replay retain-on-failure`, to look at.
"""
