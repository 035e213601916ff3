"""bench/idle: how much CPU time, memory and disk a recording takes in an hour in which nothing happens.

    python -m bench.idle [--minutes 60]

A page is opened and left alone by code that sleeps (sync) in one process. Printed are the CPU time that the recorder's process and the page took
meanwhile, how much the reel and the process grew, and whether the recording goes on afterwards: a click, its change, a seal, every checkpoint equal.
"""
