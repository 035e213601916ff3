"""bench/player: how fast the player opens and seeks, beside rrweb's Replayer on the same session.

    python -m bench.player --rrweb [FOLDER]     # FOLDER/node_modules holds rrweb; without a folder npm fetches it
    python -m bench.player --session day        # eight hours, pagereel alone

One generator makes each session twice, as a reel and as rrweb's events: the same tree, the same changes at the same times. The session
"demo" is the errand of `pagereel demo`, recorded on the spot or given by `--demo REEL`, with rrweb's events as `pagereel export` makes them of it.
The two players take turns in one browser, each in a page of its own from disk. Times are wall time in ms until the moment is painted (two
animation frames after the work, for both): so no seek can be faster than two frames. Each file is opened `--opens` times, in turns: the first
frame is the median of them, and the seeks are of the first opening.
"""
