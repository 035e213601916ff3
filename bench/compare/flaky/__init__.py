"""bench/compare/flaky: how often `--replay-compare retries` names why a test failed at first and then passed.

    python -m bench.compare.flaky [--keep FOLDER] [-k NAME]

The tests are of Ihatemoney, Trac, TiddlyWiki, Fava and Shiny, written as people write them. A proxy before each application makes the first attempt
fail: an answer is late or failed, a script is missing, a text is changed. A cause counts as named where the first sentence of the comparison, or
those on what came before it, hold its words.
"""
