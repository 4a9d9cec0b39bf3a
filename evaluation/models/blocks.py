"""Tables of what scoring records: the scores of blocks, and the answers of servers."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from evaluation.models.evaluations import Evaluation
from winoplatform.runs.models import Step


class EvaluationBlock(Step):
    """The scores of some questions, stored as soon as they are computed."""

    run = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="steps")
    scores = ArrayField(
        models.FloatField(), help_text=_("Of the block’s scored questions in order, by option.")
    )
    notes = models.JSONField(
        default=dict,
        help_text=_("By question: why it was dropped or has no answer, or the evidence."),
    )


class ServerAnswer(models.Model):
    """What a server said about a text, so that no text is sent twice."""

    key = models.CharField(
        max_length=64,
        primary_key=True,
        help_text=_("SHA-256 of the address, the revision and the request."),
    )
    answer = models.TextField(help_text=_("JSON: the tokens of the text and their probabilities."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.key[:12]
