"""Walk a recording twice: the first pass collects its values, the second masks them."""
