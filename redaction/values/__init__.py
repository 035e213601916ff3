"""What was found, looked for everywhere, and what stands in for it."""
