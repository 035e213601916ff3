"""The way back, encrypted, and who took it."""
