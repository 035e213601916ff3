"""How fast the player opens and goes anywhere, beside rrweb's Replayer on the same session.

    python -m bench.player --rrweb FOLDER        # FOLDER/node_modules holds rrweb

One generator makes each session twice, as a reel and as rrweb's events: the same tree, the same changes at the same times. The two
players take turns in one browser, each in a page of its own from disk. Times are ms on the wall until the moment is painted (two
animation frames after the work, for both): so no seek can be faster than two frames.
"""
