"""Skills to body motion."""
