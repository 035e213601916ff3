"""bench/world: whether replays of third-party applications equal the page, in structure and pixels, after ten interactions each.

    python -m bench.world [--app NAME …] [--list]
    python -m bench.world --redacted [--app NAME …]        # raw and default builds side by side

Each application comes from npm, PyPI or Debian when first wanted, into the bench's cache. It is recorded as the README says, with a mark after each
interaction; the recording is built unredacted and opened at each mark by the mark's own link in a fresh page. The table is written into docs/world.md.
The noise is the share of pixels in which two screenshots of the live page around the mark differ.
"""
