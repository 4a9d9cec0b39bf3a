"""Retrieval: decide pronouns by sentences of a local corpus that hold the same two predicates."""
