"""The table for the words of predicates and actions."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from knowledge.models.knowledge_sets import KnowledgeSet
from winoplatform.db.constraints import unique


class LexiconEntry(models.Model):
    """The words of a predicate or an action in a set's sentences."""

    knowledge_set = models.ForeignKey(
        KnowledgeSet, on_delete=models.CASCADE, related_name="lexicon"
    )
    name = models.CharField(max_length=80, help_text=_("Of the predicate or action."))
    positive = models.CharField(
        max_length=200,
        help_text=_(
            "Such as “{x is|are} strong enough”; of an action “possible for {x} to lift {y}”."
        ),
    )
    negative = models.CharField(
        max_length=200, blank=True, help_text=_("The opposite; empty for an action.")
    )

    class Meta:
        ordering: ClassVar = ["name"]
        verbose_name_plural = "lexicon entries"
        constraints: ClassVar = [
            unique("name_is_unique", ["knowledge_set", "name"], "A name has its words once.")
        ]

    def __str__(self) -> str:
        return self.name
