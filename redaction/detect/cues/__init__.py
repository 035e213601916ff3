"""Find people, companies and positions by the words around them, in text that people read."""
