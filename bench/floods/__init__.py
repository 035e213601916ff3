"""bench/floods: by what factor recording slows an agent down on pages that flood the recorder with console lines or canvases.

    python -m bench.floods [--turns 3] [console canvases …]

The same work is done in turns with and without a recorder.
"""
