"""Walk a recording twice: the first pass finds its values, the second masks it."""
