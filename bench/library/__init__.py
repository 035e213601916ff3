"""bench/library: how long a library takes to search, to list and to take in recordings, and how large its index is."""
