"""bench/exports: whether rrweb's own Replayer shows a reel that `pagereel export --format rrweb` wrote as the page model has it.

    python -m bench.exports --rrweb FOLDER REEL [REEL …]      # FOLDER/node_modules holds rrweb

Each reel's first page is exported and played in Chromium. At moments spread over it, the elements, attributes, texts, values of controls, shadow roots
and iframes that the Replayer built are compared with the model. What rrweb itself rewrites (addresses, style sheets, the content of templates) is left
out of the comparison.
"""
