"""The humanoid: skeleton, model, half-physics controller."""
