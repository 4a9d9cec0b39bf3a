"""The table for imported reasons."""

from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from knowledge.core.problems import Problem
from knowledge.core.reasons import Validity, validity_of
from winoplatform.db.constraints import check, unique
from winoplatform.runs.columns import value_constraint
from workers.models import User


class ReasonQuerySet(models.QuerySet["Reason"]):
    def visible_to(self, user: Any) -> Self:
        """All for curators, none for others: a reason names the answer."""
        is_curator = isinstance(user, User) and user.is_curator
        return self if is_curator else self.none()

    def that_are(self, *wanted: Validity) -> Self:
        """Those of any of these validities: shares from 0.8 on, up to 0.2, or between."""
        valid, invalid = Q(five__gte=F("n_votes") * 4), Q(five__lte=F("n_votes"))
        of = {Validity.VALID: valid, Validity.INVALID: invalid}
        chosen = (of.get(one, ~valid & ~invalid) for one in wanted)
        return self.alias(five=F("n_accepted") * 5).filter(reduce(or_, chosen))

    def decided(self) -> Self:
        return self.that_are(Validity.VALID, Validity.INVALID)


class Reason(models.Model):
    """A reason for the answer of a question, with how many people accepted it. Never changed."""

    class Source(models.TextChoices):
        HUMAN = "human", _("written by a person")
        GPT = "gpt", _("written by a model")
        REVERSE = "reverse", _("written by a person for the other option")

    collection = models.SlugField(help_text=_("The set that it was imported with."))
    question = models.PositiveIntegerField(help_text=_("Number in the published file, from 0."))
    number = models.PositiveSmallIntegerField(help_text=_("Among the question’s, from 0."))
    group = models.CharField(max_length=64, help_text=_("Shared by twins."))
    sentence = models.TextField()
    pronoun = models.CharField(max_length=40)
    right = models.CharField(max_length=200)
    wrong = models.CharField(max_length=200)
    text = models.TextField()
    source = models.CharField(max_length=16, choices=Source)
    n_accepted = models.PositiveSmallIntegerField()
    n_votes = models.PositiveSmallIntegerField()
    types = ArrayField(
        models.CharField(max_length=16), default=list, blank=True, help_text=_("Of knowledge.")
    )
    flags = ArrayField(
        models.CharField(max_length=16), default=list, blank=True, help_text=_("Visible faults.")
    )

    objects = ReasonQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["collection", "question", "number"]
        constraints: ClassVar = [
            unique(
                "is_numbered", ["collection", "question", "number"], "Each number has one reason."
            ),
            value_constraint("source", "human", "gpt", "reverse"),
            check(
                "accepted_are_votes",
                Q(n_votes__gte=1, n_accepted__lte=F("n_votes")),
                "As many people accept a reason as vote, or fewer.",
            ),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def share(self) -> Decimal:
        return Decimal(self.n_accepted) / self.n_votes

    @property
    def validity(self) -> Validity:
        return validity_of(self.share)

    @property
    def problem(self) -> Problem:
        """The reason in the frame of a problem, as WinoWhy's training data has it."""
        return Problem(self.sentence, self.pronoun, self.right, self.wrong, self.text)
