"""Read-only views of finished runs."""
