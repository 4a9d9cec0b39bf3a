"""Evaluations on knowledge: statements that a model calls true or false, and their figures."""

from evaluation.core.knowledge.documents import document_of, figures_of
from evaluation.core.knowledge.statements import ALL, REASONS, VALID, Statement, subset
