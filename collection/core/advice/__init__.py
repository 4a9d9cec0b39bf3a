"""Advice on twins that break no rule, as pure functions: text and counts in, findings out."""
