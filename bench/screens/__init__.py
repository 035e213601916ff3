"""bench/screens: how many bytes a recording keeps of the screens of a computer-use session, beside their PNGs."""
