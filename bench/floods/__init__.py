"""What pages that flood a recorder cost the agent: the same work by turns with and without a recorder, and the ratio.

python -m bench.floods [--turns 3] [console canvases …]
"""
