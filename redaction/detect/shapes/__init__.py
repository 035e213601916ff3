"""Find personal data by its shape: numbers, addresses, secrets, names in identifiers."""
