"""Retrieval: decide pronouns by sentences of a local corpus that hold the same two predicates."""

from evaluation.core.retrieval.antecedents import Evidence
from evaluation.core.retrieval.hunting import Hunt, SentenceIndex, hunt
from evaluation.core.retrieval.queries import Queries, Unparsed, generate_queries
