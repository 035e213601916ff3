"""bench/suites: whether other projects' end-to-end tests have the same outcomes when they are recorded, and what recording costs them.

    python -m bench.suites streamlit CHECKOUT PYTHON [--rounds 2] [--break] [--json FILE] [--keep FOLDER]
    python -m bench.suites py-shiny CHECKOUT PYTHON

CHECKOUT is a work tree of the project's public repository, PYTHON an environment with the packages that `bench/suites/lists.py`
names and this pagereel (`pip install -e '.[redaction,pytest]'`). Nothing of the project is copied here, and nothing in it is changed.

Thirty tests run plain, with `--tracing on`, with `--replay retain-on-failure` and with `--replay on`, in turns (`--modes` names
some). Printed are the tests that passed, whether they are the same in all modes, wall time and CPU time (of all processes) with their
ratios, the part of it that building the replays took, pagereel's warnings, and the checkpoints, gaps and unsupported things of each recording.
With `--break` three of the tests are made to fail at their end and run with `--replay retain-on-failure`, so that a person can look at the replays.
"""
