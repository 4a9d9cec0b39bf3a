"""Ports for servers that tests and benchmarks start."""

import socket


def free_port() -> int:
    """Return a port of the loopback that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
