"""The deciding agent: planner, verifier interface, history, built-in models."""
