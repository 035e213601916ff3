"""bench/build: how much CPU time and memory it takes to build a large recording into a replay.

    python -m bench.build [--changes 200000] [--megabytes 50] [--profile] [--json FILE]

The reel is made up: one page that changes 200,000 times in an hour (texts, attributes, rows that come, go and move), 50 MB of
events in all. It is built raw, in a process of its own, so that the language models have no part in it.
"""
