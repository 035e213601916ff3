"""Store the original values of a masked recording in an encrypted file, and log who opened it."""
