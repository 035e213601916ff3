"""bench/world: applications that are not ours and in no suite, ten interactions each; the replay beside the page, by picture.

    python -m bench.world [--app NAME …] [--list]
    python -m bench.world --redacted [--app NAME …]     # raw and default builds side by side

Each application comes from npm, PyPI or Debian when first wanted, into the bench's cache. It is recorded as the README says, with a mark
after each interaction; the recording is built unredacted and opened at each mark by the mark's own link in a fresh page. The table lands
in docs/world.md. The noise is what two screenshots of the live page around the mark differ by.
"""
