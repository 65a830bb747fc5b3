"""The household suite."""
