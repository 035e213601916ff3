"""bench/redaction/apps: what a default build masks in applications that hold people's data, and which values it leaves.

    python -m bench.redaction.apps                            # all of them, into out/redaction-apps
    python -m bench.redaction.apps --app forum --again        # builds and compares again from the recording that is there

Each errand is recorded twice, with different people. Texts that both recordings show belong to the program; one of them that the default build changes is a
*UI string touched*. A value of the people that a page of the default build still shows is a *value left*. Pairs of pictures are for a person to look at.
"""
