"""Evaluations on knowledge: statements that a model calls true or false, and their figures."""
