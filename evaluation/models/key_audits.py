"""Tables for audits of answer keys."""

from typing import Any, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from corpora.models import ReferenceSet
from evaluation.models.evaluations import Evaluation
from evaluation.models.one_set import OfOneSet, rules_of_set, set_columns
from winoplatform.db.constraints import check, unique
from winoplatform.runs.columns import done_has, recorded_json, recorded_text, value_constraint
from winoplatform.runs.models import Run, RunStatus


class KeyAudit(OfOneSet):
    """An audit of the answer keys of a set, by the answers of systems and the votes of people.

    The evaluations are chosen when it is requested: those that whoever requests it may see, so the
    audit of a reference set is theirs alone. Votes are read when it runs. It has no recorded steps:
    another attempt computes the same from the same answers and votes.
    """

    QUEUE = "heavy"
    transformation = ""  # the questions as they are, for what reads any evaluated questions

    release, reference_set, snapshot, split = set_columns("key_audits")
    evaluations = models.ManyToManyField(
        Evaluation,
        blank=True,
        related_name="key_audits",
        help_text=_("The evaluations whose answers are used, the newest of each system and seed."),
    )
    seed = models.PositiveBigIntegerField(
        default=0, help_text=_("Of the simulated questions by which the power is computed.")
    )
    data_sha256 = recorded_text(64, _("Of the audited items’ canonical lines, without answers."))
    code_version = recorded_text(
        200, _("The hash of the code that computes the figures, and its libraries’ versions.")
    )
    result = recorded_json(
        _("The systems with ability and weight, the power, and which systems would be needed.")
    )

    class Meta(OfOneSet.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("key audit")
        constraints: ClassVar = [
            value_constraint("status", *RunStatus.values),
            *rules_of_set(
                "The keys of a release, a reference set or a snapshot are audited.", done="audited"
            ),
            done_has("result"),
            unique(
                "is_open_once",
                ["release", "reference_set", "snapshot", "split", "seed"],
                "This audit is under way already.",
                condition=Q(status__in=Run.OPEN),
                nulls_distinct=False,
            ),
        ]

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        """Select those of a member's campaigns, and own ones of reference sets that are seen."""
        seen = Q((f"{path}reference_set__in", ReferenceSet.objects.visible_to(user)))
        of_no_set = Q((f"{path}reference_set", None))
        return super().of_member(user, path) & (seen | of_no_set)

    @property
    def input_run(self) -> Run | None:
        return self.release or self.snapshot


class AuditedKeyQuerySet(models.QuerySet["AuditedKey"]):
    def suspected(self) -> Self:
        """Select the suspected keys, the most probable first."""
        suspected = self.filter(finding=AuditedKey.Finding.KEY)
        return suspected.order_by("-probability", "-evidence", "number")


class AuditedKey(models.Model):
    """What an audit says of the key of one question.

    ``KEY`` is a suspected key: of all that an audit suspects, at most a tenth is expected to be
    right. The other findings are of keys that are not suspected.
    """

    class Finding(models.TextChoices):
        NOTHING = "nothing", _("nothing")
        KEY = "key", _("key suspected")
        PEOPLE = "people", _("people split")
        MODELS = "models", _("models split")
        BOTH = "both", _("people and models split")

    run = models.ForeignKey(KeyAudit, on_delete=models.CASCADE, related_name="keys")
    number = models.PositiveIntegerField(help_text=_("Position in the published order, from 1."))
    source_id = models.TextField(help_text=_("Id of the item in its set."))
    group = models.TextField(help_text=_("Of the item in its set: twins share it."))
    probability = models.FloatField(
        help_text=_("That the key is wrong, given systems, people and the twin.")
    )
    evidence = models.FloatField(
        help_text=_("Log-likelihood ratio of a wrong to a right key, from the systems’ answers.")
    )
    twin_evidence = models.FloatField(
        null=True, help_text=_("What the answers to the twin add to it; null without a twin.")
    )
    people_posterior = models.FloatField(
        null=True, help_text=_("That the key is right, from votes alone; null without votes.")
    )
    n_votes = models.PositiveIntegerField(default=0)
    n_votes_for_key = models.PositiveIntegerField(default=0)
    discrimination = models.FloatField(
        help_text=_("Slope a of the two-parameter model; negative if abler systems miss the key.")
    )
    intercept = models.FloatField(help_text=_("Intercept d of the two-parameter model."))
    discrimination_se = models.FloatField()
    intercept_se = models.FloatField()
    misfit_p = models.FloatField(
        help_text=_("Of the test that the item’s log-odds are linear in ability.")
    )
    answers = ArrayField(
        models.SmallIntegerField(),
        help_text=_("Of each system, as in the result: 1 for the key, 0 for another, -1 for none."),
    )
    only_best_miss = models.BooleanField(
        help_text=_("Without the most able tenth of the systems there is no evidence.")
    )
    finding = models.CharField(max_length=16, choices=Finding)

    objects = AuditedKeyQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            value_constraint("finding", "nothing", "key", "people", "models", "both"),
            unique("is_numbered", ["run", "number"], "Each number has one question."),
            unique("is_audited_once", ["run", "source_id"], "A question is audited once."),
            check(
                "probability_is_one",
                Q(probability__gte=0, probability__lte=1),
                "A probability is from 0 to 1.",
            ),
            check(
                "votes_are_counted",
                Q(n_votes_for_key__lte=models.F("n_votes")),
                "The votes for the key are some of the votes.",
            ),
        ]

    def __str__(self) -> str:
        return self.source_id

    @property
    def is_suspected(self) -> bool:
        return self.finding == self.Finding.KEY

    @property
    def difficulty(self) -> float | None:
        """The ability that is right in half of the cases; None without a discrimination."""
        return -self.intercept / self.discrimination if self.discrimination else None
