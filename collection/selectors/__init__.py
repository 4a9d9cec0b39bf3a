"""Reads that span tables: what primes writers, what they can be advised."""
