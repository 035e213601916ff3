"""What texts that are given together say of one another: names of programs, lists of countries, strings of a catalogue."""
