"""bench/soak: whether the recorder's memory stays flat over an hour's work, done in six minutes.

    python -m bench.soak [--minutes 6] [--json FILE]

The page is as busy as an agent's day, ten times as fast: a feed that takes in rows and drops old ones, a ticker, typing, clicks, and
a navigation every few seconds to a page of another look. Every ten seconds the resident memory of the recording process, the page's
JavaScript heap and the reel's size are read. After a first fifth, in which caches fill, memory must stay where it is: the medians
of the second and the last fifth may differ by a twentieth and 8 MB.
"""
