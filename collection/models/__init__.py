"""Priming and authoring: campaigns, articles, assignments, twins and their questions."""

from collection.models.articles import Article, Assignment, Draft
from collection.models.background import (
    BackgroundAnswer,
    BackgroundEdition,
    BackgroundQuestion,
    BackgroundRespondent,
)
from collection.models.campaigns import BudgetBound, Campaign, SettingsChange
from collection.models.crowd import CrowdSession, Participant, SessionCredit, Study
from collection.models.guidelines import Attribute, Consent, ExerciseItem, Guideline
from collection.models.members import NONE, Membership, of_member, refuse_role, rights_in
from collection.models.twins import (
    Provenance,
    PublishedAnswer,
    Question,
    Twin,
    new_question_id,
)
