"""Find people, companies and positions in readable text by the words around them."""
