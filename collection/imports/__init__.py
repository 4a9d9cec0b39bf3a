"""Imports at scale: published questions and articles, streamed from files."""
