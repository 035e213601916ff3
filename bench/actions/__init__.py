"""bench/actions: how many ms recording adds to a Playwright call, with Playwright's own tracing beside it.

    python -m bench.actions [--rows 100 2000 20000] [--rounds 40] [--json FILE]

Three pages of the same browser are open all the time: one is not recorded, one is recorded by pagereel, one is traced with snapshots. In each round
every page gets the same calls, one page after the other, in an order that turns: a click whose handler changes a row, a fill, and a read. A
figure is a call's time less the same call's time on the plain page of that round; the median over all rounds is held against the
limit. Between calls there is a pause, so that work that one page still does is not counted to the next.
"""
