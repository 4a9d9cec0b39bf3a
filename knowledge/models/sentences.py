"""Tables for knowledge sentences."""

import uuid
from typing import Any, ClassVar, Self

from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from knowledge.core.slots import MAX_LENGTH, Form, Mention, Template, read
from knowledge.models.formalisations import Formalisation, Formula
from knowledge.models.knowledge_sets import KnowledgeSet
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check
from winoplatform.runs.columns import value_constraint
from workers.models import User


class SentenceQuerySet(models.QuerySet["Sentence"]):
    def visible_to(self, user: Any) -> Self:
        """Those of the sets of curators, none for others: kind and pair tell the label."""
        return self.filter(KnowledgeSet.of_member(user, "knowledge_set__"))

    def paired(self) -> Self:
        """Sentences whose pair is complete."""
        return self.filter(Q(of__isnull=False) | Q(false_version__isnull=False))


class Sentence(models.Model):
    """A true knowledge sentence of a question, or its false version, as text with slots.

    A pair is a true sentence and the one false version that points at it.
    """

    class Kind(models.TextChoices):
        TRUE = "true", _("true")
        NEGATION = "negation", _("negation")
        SWAPPED = "swapped", _("swapped")
        REPLACED = "replaced", _("replaced")
        CHANGED = "changed", _("changed")
        OTHER = "other", _("other")

    class Pick(models.TextChoices):
        """What the formula of a false version picks; never the answer."""

        OTHER = "other", _("the other option")
        NEITHER = "neither", _("no option")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    knowledge_set = reference(KnowledgeSet, "sentences")
    formalisation = reference(
        Formalisation,
        "sentences",
        help_text=_("The version of the question’s formalisation that it was written for."),
    )
    formula = optional(Formula, "sentences", help_text=_("The formula that it puts into words."))
    of = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="false_version",
        help_text=_("The true sentence of a false version."),
    )
    kind = models.CharField(max_length=16, choices=Kind, default=Kind.TRUE)
    text = models.TextField(
        validators=[MaxLengthValidator(MAX_LENGTH)],
        help_text=_("With slots such as {X:person}, {X} and {X is|are}."),
    )
    mentions = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("The question’s noun phrase of each name: its text, and whether it is plural."),
    )
    false_formula = models.TextField(
        blank=True,
        validators=[MaxLengthValidator(MAX_LENGTH)],
        help_text=_("Of a false version that was made from the formula."),
    )
    pick = models.CharField(max_length=16, choices=Pick, blank=True)
    author = optional(User, "knowledge_sentences")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = SentenceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            value_constraint("kind", "true", "negation", "swapped", "replaced", "changed", "other"),
            check(
                "false_has_a_true_one",
                Q(kind="true", of=None) | (~Q(kind="true") & Q(of__isnull=False)),
                "A false version belongs to a true sentence, and a true sentence to no other.",
            ),
            check(
                "is_not_of_itself", Q(of=None) | ~Q(of=F("pk")), "A sentence is not its own pair."
            ),
            check(
                "false_formula_has_lost_its_proof",
                Q(false_formula="", pick="")
                | (~Q(kind="true") & ~Q(false_formula="") & Q(pick__in=["other", "neither"])),
                "The formula of a false version no longer picks the answer.",
            ),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def is_true(self) -> bool:
        return self.kind == self.Kind.TRUE

    @property
    def pair_id(self) -> int:
        """The key of the pair's true sentence."""
        return self.of_id if self.of_id is not None else self.pk

    @property
    def template(self) -> Template:
        return read(self.text)

    @property
    def noun_phrases(self) -> dict[str, Mention]:
        return {
            name: Mention(words["text"], words["plural"]) for name, words in self.mentions.items()
        }

    def text_in(self, form: Form, *, inside: bool = False) -> str:
        """The sentence in one of its forms; see `slots.Template.render`."""
        return self.template.render(form, self.noun_phrases, inside=inside)
