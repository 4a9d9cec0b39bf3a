"""What every request passes: middleware, limits, sessions, static files and the health check."""
