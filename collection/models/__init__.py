"""Priming and authoring: campaigns, articles, assignments, twins and their questions."""

from collection.models.articles import Article, Assignment
from collection.models.campaigns import Campaign
from collection.models.twins import Question, Twin, new_question_id

__all__ = ["Article", "Assignment", "Campaign", "Question", "Twin", "new_question_id"]
