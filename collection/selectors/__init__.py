"""Reads that span tables: priming, advice, eligibility, crowd sessions and pay."""
