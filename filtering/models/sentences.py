"""Sentence encodings of a campaign, for finding its questions by meaning."""

from typing import Any, ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, of_member
from filtering.models.encodings import encoder_field
from winoplatform.db.columns import reference
from winoplatform.db.constraints import unique
from winoplatform.models import Artifact
from winoplatform.runs.columns import (
    artifact_field,
    done_has,
    recorded_count,
    recorded_text,
    value_constraint,
)
from winoplatform.runs.models import Run, RunStatus, Step


class SentenceEncoding(Run):
    """A vector of each question that a campaign had when it was requested.

    An `Encoding` has the valid questions of a snapshot, and says how the options of each differ.
    This has all questions, decided or not, and says what their sentences are about.
    """

    QUEUE = "heavy"

    campaign = reference(Campaign, "sentence_encodings")
    encoder = encoder_field()
    weights_sha256 = recorded_text(64)
    config_sha256 = recorded_text(64, _("Of the encoder's configuration and tokenizer."))
    pooling_used = recorded_text(16)
    shard_size = models.PositiveIntegerField(
        default=512,
        editable=False,
        validators=[MinValueValidator(1)],
        help_text=_("Questions in a shard."),
    )
    questions = artifact_field(help_text=_("Primary keys of the questions, one per row."))
    matrix = artifact_field(help_text=_("One row per question, of length 1, as float32."))
    n_questions = recorded_count()

    class Meta(Run.Meta):
        ordering: ClassVar[list[Any]] = ["-pk"]
        verbose_name = _("sentence encoding")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            done_has("questions", "matrix", "n_questions"),
            unique(
                "is_open_once",
                ["campaign"],
                "The sentences of this campaign are being encoded already.",
                condition=Q(status__in=Run.OPEN),
            ),
        ]

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        return of_member(user, f"{path}campaign")


class SentenceShard(Step):
    """Some rows of a sentence encoding, stored as soon as they are computed."""

    run = models.ForeignKey(SentenceEncoding, on_delete=models.CASCADE, related_name="steps")
    vectors = reference(Artifact)
