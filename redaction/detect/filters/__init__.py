"""Decide which texts the models are asked about, and which of their findings are accepted."""
