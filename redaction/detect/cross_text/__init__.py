"""Judge findings by the other texts of the same call: names of programs, lists of countries, strings of a translation file."""
