"""Imports of published questions and articles, streamed from files."""
