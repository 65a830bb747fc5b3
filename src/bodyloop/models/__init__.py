"""Model protocol, usage and transports."""
