"""Typed profiles and configurations."""
