"""Screens of a computer-use session: what a recording keeps of them, beside their PNGs."""
