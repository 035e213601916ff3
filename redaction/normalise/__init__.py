"""What a text says behind its escapes and tricks: the same for the detector, for the search of what is known, and for the gate."""
