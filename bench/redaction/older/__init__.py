"""Do the places of today's tests tell their values with the code of another day, and with today's?

    python -m bench.redaction.older                                        # the commit before the places were thought of
    python -m bench.redaction.older --commit 0b15edd --policy vendor strict
    python -m bench.redaction.older --seed 7 --json out.json               # the same values again

A test that never failed says little. The places of `tests/redaction` were written along with the rules that keep them quiet, so they are laid over an
older commit here: its own recorder records, its own redaction masks, in a process of its own (`child`), and today's oracles, which ask nothing of the
redaction, look through what came of it. Kinds that no place covers are tests of today, run against the older code (`kinds.TESTS`).
"""
