"""Store the original values encrypted, and log who read them."""
