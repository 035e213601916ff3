"""bench/compare/flaky: tests that fail first and then pass, and whether `--replay-compare retries` names why.

    python -m bench.compare.flaky [--keep FOLDER] [-k NAME]

Tests as people write them, of Ihatemoney, Trac, TiddlyWiki, Fava and Shiny. A proxy before each application makes the first attempt fail: an answer is late or failed, a script is
missing, a page has something otherwise. Named is a cause that stands in the first sentence of the comparison, or in those before it.
"""
