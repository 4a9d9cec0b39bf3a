"""Tests with real workers and a real broker."""

# While this key exists in Redis, a worker waits after each step that it records (tests.jobs.slow).
HOLD = "hold-after-a-step"
