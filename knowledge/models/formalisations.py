"""Formulas of knowledge, and questions as formulas."""

import uuid
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from knowledge.core import formalisation as core
from knowledge.core.language.limits import MOST_CHARACTERS
from knowledge.models.knowledge_sets import KnowledgeSet
from winoplatform.db.columns import optional
from winoplatform.db.constraints import unique
from workers.models import User


class FormulaQuerySet(models.QuerySet["Formula"]):
    def visible_to(self, user: Any) -> Self:
        """All of the sets of curators; for workers who formalise, those not held back.

        A worker sees own formulas before any question uses them. So for others it does not matter
        what curators say of questions that are held back.
        """
        if not isinstance(user, User):
            return self.none()
        if user.is_curator:
            return self.filter(KnowledgeSet.of_member(user, "knowledge_set__"))
        using = Formalisation.objects.filter(formulas=OuterRef("pk"))
        in_use = Q(knowledge_set__in=KnowledgeSet.objects.formalised_by(user)) & Exists(
            using.filter(is_held_back=False)
        )
        return self.filter(in_use | (Q(author=user) & ~Exists(using.filter(is_held_back=True))))


class Formula(models.Model):
    """A formula of knowledge, which never changes; a corrected one is another formula."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    knowledge_set = models.ForeignKey(
        KnowledgeSet, on_delete=models.CASCADE, related_name="formulas"
    )
    name = models.SlugField(max_length=60)
    text = models.CharField(max_length=MOST_CHARACTERS, help_text=_("As its author wrote it."))
    # Longer than the text where a symbol becomes a word.
    shown = models.TextField(editable=False, help_text=_("In the canonical form."))
    digest = models.CharField(
        max_length=64, editable=False, help_text=_("SHA-256 of the canonical form.")
    )
    author = optional(User)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = FormulaQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["knowledge_set", "name"]
        verbose_name = _("formula")
        constraints: ClassVar = [
            unique(
                "name_is_unique",
                ["knowledge_set", "name"],
                "This set has a formula with this name already. Choose another name.",
            ),
            unique(
                "is_stated_once",
                ["knowledge_set", "digest"],
                "This set has this formula already, under another name. Use that one.",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class FormalisationQuerySet(models.QuerySet["Formalisation"]):
    def visible_to(self, user: Any) -> Self:
        """All for curators, their own for workers, and nothing that is held back.

        Others could look up what annotators are asked.
        """
        if not isinstance(user, User):
            return self.none()
        if user.is_curator:
            return self.filter(KnowledgeSet.of_member(user, "knowledge_set__"))
        return self.filter(author=user, is_held_back=False)

    def newest(self) -> Self:
        """Return the newest version of each question, in the order of the questions' ids."""
        return self.order_by("knowledge_set_id", "question", "-number").distinct(
            "knowledge_set_id", "question"
        )


class Formalisation(models.Model):
    """One version of a question as formulas; it never changes."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    knowledge_set = models.ForeignKey(
        KnowledgeSet, on_delete=models.CASCADE, related_name="formalisations"
    )
    question = models.CharField(
        max_length=200, help_text=_("Its id in the release or reference set.")
    )
    number = models.PositiveIntegerField(help_text=_("Of the version, from 1."))
    content = models.JSONField(help_text=_("Things, options, pronoun, scene, clause, outcome."))
    formulas = models.ManyToManyField(Formula, related_name="formalisations", blank=True)
    fingerprint = models.CharField(max_length=64, editable=False, db_index=True)
    is_held_back = models.BooleanField(
        default=False,
        editable=False,
        help_text=_("Whether the release holds the question’s label back: for curators alone."),
    )
    author = optional(User)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = FormalisationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["knowledge_set", "question", "number"]
        verbose_name = _("formalisation")
        constraints: ClassVar = [
            unique("version_is_unique", ["knowledge_set", "question", "number"])
        ]

    def __str__(self) -> str:
        return f"{self.question}, version {self.number}"

    @property
    def theory(self) -> core.Theory:
        """Its formulas and knowledge as trees."""
        knowledge = {formula.name: formula.text for formula in self.formulas.all()}
        return core.read(core.Formalisation.from_dict(self.content), knowledge)
