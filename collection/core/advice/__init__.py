"""Advice on twins that break no rule: pure functions from text and counts to findings."""
