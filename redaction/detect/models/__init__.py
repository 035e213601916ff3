"""Ask the models: Presidio over spaCy, Rampart, and two nets of our own."""
