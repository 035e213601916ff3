"""A net of our own that reads characters, for scripts that the models do not know."""
