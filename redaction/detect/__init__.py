"""Find personal data and secrets in texts."""
