"""bench/fidelity: whether the replay equals the page, in structure and in pixels, with rrweb beside it.

    python -m bench.fidelity [--case NAME …] [--peer rrweb] [--out DIR]

Each case is a page and a script with marks. At each mark the live page is serialized and a screenshot is taken; the recording is built raw, opened from
its file by the mark's own link in a fresh page, and serialized and pictured again. The noise is the share of pixels in which two live runs without
a recorder differ. The table is written into docs/fidelity.md.
"""
