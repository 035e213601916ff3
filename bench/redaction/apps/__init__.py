"""Applications that are not ours, with people's data in them, raw and as a default build: what the redaction takes from the page, and what it leaves.

    python -m bench.redaction.apps                        # all of them, into out/redaction-apps
    python -m bench.redaction.apps --app forum --again    # build and look again at what is recorded there

Each errand is recorded twice, with other people. What both recordings show is the program's own; a text of that kind that the default build changes is a
*UI string touched*. A value of the people that a page of the default build still shows is a *value left*. Pairs of pictures are for a person to look at.
"""
