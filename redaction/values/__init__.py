"""Hold the known values, search for them, and make their stand-ins."""
