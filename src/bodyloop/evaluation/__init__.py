"""Measurements and their context."""
