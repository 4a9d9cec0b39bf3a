"""Fresh votes on suspected keys, revised keys and their erratum, and scores on both versions."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from corpora.api.serializers import ErratumSerializer
from corpora.models import ReferenceSet
from evaluation.models import KeyAudit, KeyPanel
from evaluation.selectors.key_panels import AskedKey, asked_keys
from evaluation.selectors.versions import BothVersions, ScoredTwice, both_versions
from evaluation.services import key_revisions
from evaluation.services.key_panels import (
    FILLERS,
    MOST_FILLERS,
    VOTES,
    KeyPanelPlan,
    plan_key_panel,
    start_key_panel,
)
from panels.api.serializers import PaidVotesSerializer
from validation.api.serializers.quality import ShareSerializer
from winoplatform.api.fields import FiniteFloatField
from winoplatform.api.results import ResultSerializer
from winoplatform.api.rows import RowSerializer
from winoplatform.api.runs import CuratorRows, setting
from winoplatform.api.views import ApiView, validated_query
from winoplatform.http.rights import Right
from workers.api.callers import caller
from workers.models import AuditEvent

TAG = "evaluation"


class NewKeyPanelSerializer(PaidVotesSerializer):
    """How often suspects are asked about, among how many others, and what a vote pays."""

    votes_per_item = serializers.ChoiceField(choices=[3, 5], default=VOTES)
    fillers = FiniteFloatField(
        min_value=0,
        max_value=MOST_FILLERS,
        default=FILLERS,
        help_text="The share of groups without a suspected key, drawn at random by the seed.",
    )


class KeyPanelPlanSerializer(ResultSerializer):
    """What people would be asked about suspects, what it costs, and what it is expected to find."""

    class Meta:
        of = KeyPanelPlan
        fields = (
            "panel.campaign", "panel.campaign.currency", "panel.reward", "n_suspects", "n_fillers",
            "n_items", "n_votes", "cost", "cost_per_found", "forecast.n_wrong", "forecast.n_found",
        )  # fmt: skip
        help = {
            "n_suspects": "Suspected keys.",
            "n_fillers": "Groups without a suspected key.",
            "n_items": "Questions of all groups.",
        }


class KeyPanelSerializer(RowSerializer):
    class Meta:
        model = KeyPanel
        paths = {"evaluation": "panel"}
        fields: Any = ("evaluation", "audit", "revised_at", "reference_set")
        help = {"evaluation": "The human evaluation about the suspects."}


class AskedKeySerializer(ResultSerializer):
    """A suspected key, or that of a question of its group, with the votes on it."""

    class Meta:
        of = AskedKey
        paths = {"votes": "answered.counts"}
        fields = (
            "key.source_id", "key.group", "key.is_suspected", "question", "key.probability",
            "votes", "said.posterior", "chance_wrong", "decision", "act", "refusal",
        )  # fmt: skip
        help = {
            "is_suspected": "False for another question of a suspect's group.",
            "votes": "For each option; null before the question has all its votes.",
            "decision": "Whether the key is wrong or right, or people split; null before all "
            "votes.",
        }


class KeyVotesSerializer(KeyPanelSerializer):
    """People's votes on each suspected key, the most probable first, and what followed."""

    keys = AskedKeySerializer(many=True, read_only=True)

    class Meta(KeyPanelSerializer.Meta):
        fields = (*KeyPanelSerializer.Meta.fields, "keys")


class CreditSerializer(serializers.Serializer[Any]):
    """Who found the errors, and whether they agree to be named."""

    credit = serializers.CharField(
        max_length=key_revisions.LONGEST_CREDIT, allow_blank=True, default=""
    )
    agreed = serializers.BooleanField(default=False, help_text="To be named in the erratum.")


class NextVersionSerializer(CreditSerializer):
    """The next version of a reference set; for a campaign's questions nothing is read."""

    name = setting(ReferenceSet, "name", default="", required=False, allow_blank=True)
    leave_out = serializers.BooleanField(
        default=True, help_text="Whether questions on which people split are left out."
    )


class ScoredTwiceSerializer(ResultSerializer):
    """A system's newest evaluation with the keys of both versions."""

    before = ShareSerializer()
    after = ShareSerializer()

    class Meta:
        of = ScoredTwice
        paths = {"system": "system.name", "evaluation": "system.newest"}
        fields = ("system", "evaluation", "before", "after", "change")


class BothVersionsSerializer(ResultSerializer):
    """All systems that were evaluated on a version, the most accurate first."""

    later = serializers.ListField(
        child=serializers.CharField(),
        source="later_names",
        help_text="Names of all later versions that you may see, newest first.",
    )
    after = serializers.CharField(source="after.name", help_text="The one whose keys are used.")
    rows = ScoredTwiceSerializer(many=True)

    class Meta:
        of = BothVersions
        fields = ("later", "after", "n", "n_changed", "n_missing", "rows")


class AfterSerializer(serializers.Serializer[Any]):
    after = serializers.SlugField(
        max_length=50, allow_blank=True, default="", help_text="A later version; else the newest."
    )


class OfKeyAudit(CuratorRows):
    """A view of an audit whose suspects people are asked about."""

    queryset = KeyAudit.objects.select_related(
        "release__snapshot__campaign", "snapshot__campaign", "reference_set"
    )
    pagination_class = None
    filter_backends: Any = []
    takes: Any = NewKeyPanelSerializer
    refuses = 409


class KeyPanels(OfKeyAudit):
    takes = {"POST": NewKeyPanelSerializer}
    gives: Any = {"GET": [KeyPanelSerializer], "POST": KeyPanelSerializer}

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """List the human evaluations about an audit's suspects, newest first."""
        rows = KeyPanel.objects.visible_to(request.user).filter(audit=self.get_object())
        return rows.select_related("audit", "panel", "reference_set")

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Ask people about an audit's suspects among other questions, and reserve their pay.

        Nothing that people get tells suspects from the rest.
        """
        return start_key_panel(audit=self.get_object(), by=caller(request), **self.body())


class KeyPanelCost(OfKeyAudit):
    gives = KeyPanelPlanSerializer

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Return what asking people about an audit's suspects costs; nothing is stored."""
        return plan_key_panel(audit=self.get_object(), by=caller(request), **self.body())


class OfKeyPanel(CuratorRows):
    """A view of the votes on an audit's suspects, named by their human evaluation."""

    audits = AuditEvent.Kind.LABELS
    queryset = KeyPanel.objects.select_related(
        "panel__campaign", "audit__release__snapshot__campaign", "audit__reference_set",
        "reference_set",
    )  # fmt: skip
    lookup_field = "panel__public_id"
    gives: Any = KeyVotesSerializer


class KeyVotes(OfKeyPanel):
    def get(self, request: Request, id: uuid.UUID) -> Any:
        """Return what people say of each suspected key and of its group."""
        return _with_keys(self.get_object())


class ReviseKeys(OfKeyPanel):
    changes = Right.DECIDE
    takes = NextVersionSerializer
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Correct the keys that the votes found wrong, for the next release or version; once."""
        row, asked = self.get_object(), self.body()
        return _with_keys(key_revisions.revise_keys(row=row, by=caller(request), **asked))


class TellCorrection(OfKeyPanel):
    takes = CreditSerializer
    gives = ErratumSerializer
    success = 201
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Add the erratum to the audited release: which keys the newest release has corrected.

        Of the blind test it has their number alone.
        """
        row, asked = self.get_object(), self.body()
        return key_revisions.tell_correction(row=row, by=caller(request), **asked)


def _with_keys(row: Any) -> Any:
    row.keys = asked_keys(row)
    return row


class Versions(ApiView):
    audits = AuditEvent.Kind.LABELS
    query = AfterSerializer
    gives = BothVersionsSerializer

    def get(self, request: Request, kind: str, name: str, split: str) -> Any:
        """Score all systems with the keys of a split and with those of a later version.

        The scores are from the stored answers to the first version. Those of a blind test are for
        members of the campaign.
        """
        after = validated_query(AfterSerializer, request)["after"]
        return both_versions(caller(request), kind, name, split, after)
