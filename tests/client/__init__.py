"""Tests of the Python client, `client/`."""
