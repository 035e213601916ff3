"""The two passes over a recording: what is in it, and what it becomes."""
