"""The household environment: a home, a humanoid, cameras and task semantics."""
