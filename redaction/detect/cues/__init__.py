"""People, companies and positions by the words around them, in what a person reads."""
