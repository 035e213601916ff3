"""How long a library takes to answer, to list and to take in, and how large its index is."""
