"""What a list of questions is filtered and counted by, in one narrow row for each question."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F
from django.db.models.functions import Collate

from collection.models import Campaign, Question, Twin


class QuestionFacts(models.Model):
    """A question's state, reasons, votes and people, copied from five tables by triggers.

    Nothing else writes it. At 100,000 questions a count by facets over the five tables takes
    several times as long as over these rows (decision 0041).
    """

    question = models.OneToOneField(
        Question, primary_key=True, on_delete=models.CASCADE, related_name="facts"
    )
    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    twin = models.ForeignKey(Twin, on_delete=models.CASCADE, related_name="+", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    domain = models.CharField(max_length=16, choices=Twin.Domain)
    anchor = models.CharField(max_length=120, help_text="Its key: see Twin.anchor_key.")
    state = models.CharField(max_length=16, help_text="See selectors.states.QuestionState.")
    reasons = ArrayField(models.TextField(), help_text="Of its verdict, sorted.")
    # Votes that a verdict counts: no answers to gold questions, none that was excluded.
    n_votes = models.PositiveSmallIntegerField()
    n_right = models.PositiveSmallIntegerField(help_text="Votes for the author's answer.")
    validators = ArrayField(models.BigIntegerField(), help_text="Who gave these votes, sorted.")

    class Meta:
        indexes: ClassVar = [
            # None has a column that votes and verdicts change: their updates stay within a page.
            models.Index(name="validation_facts_listed", fields=["campaign", "-question"]),
            models.Index(name="validation_facts_of_twin", fields=["twin"]),
            models.Index(
                "campaign",
                Collate("anchor", "C"),
                F("question").desc(),
                name="validation_facts_by_anchor",
            ),
        ]

    def __str__(self) -> str:
        return f"facts of question {self.question_id}"
