"""Check a release from its files alone: what is said in it follows from what is in it."""

from corpora.core.bundle.reading import Bundle, open_bundle
from evaluation.core.verify.findings import Finding, Outcome
from evaluation.core.verify.release import verify
