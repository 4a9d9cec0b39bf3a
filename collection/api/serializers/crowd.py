from typing import Any

from rest_framework import serializers

from collection.models import Campaign, CrowdSession, Study
from collection.selectors.crowd import places_taken
from collection.services.crowd.studies import LINK_HOURS, LINKS_MAX, setup_of
from winoplatform.api.fields import BySlug

CHANGEABLE = (
    "name",
    "places",
    "return_url",
    "completion_code",
    "screen_out_code",
    "failure_code",
    "event_secret",
    "secret",
)
EXPLAINED = {
    "event_secret": {
        "write_only": True,
        "help_text": "What the platform signs its events with; it is never shown again.",
    },
    "is_open": {"help_text": "Whether anybody new may arrive; who has begun can go on."},
}


class RequirementSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="The platform's own name of the setting.")
    value = serializers.CharField()


class SetupSerializer(serializers.Serializer[Any]):
    """What a curator pastes into the platform."""

    link = serializers.CharField(help_text="The study's address, with the platform's placeholders.")
    preview = serializers.CharField(help_text="Shows the task to whoever looks, without account.")
    completion = serializers.CharField(
        help_text="Where a session ends; {code} and {session} are filled in. May be empty."
    )
    events = serializers.CharField(help_text="Where the platform sends signed events.")
    requirements = RequirementSerializer(
        many=True, help_text="The approval history that the platform itself has to ask for."
    )


class StudySerializer(serializers.ModelSerializer[Study]):
    id = serializers.UUIDField(source="public_id")
    campaign = serializers.SlugField(source="campaign.slug", read_only=True)
    places_taken = serializers.SerializerMethodField(
        help_text="By sessions that are active, completed, or ended after something was paid."
    )
    setup = serializers.SerializerMethodField()

    class Meta:
        model = Study
        fields = (
            "id", "campaign", "provider", "name", "skill", "units", "places", "places_taken",
            "is_open", "return_url", "completion_code", "screen_out_code", "failure_code", "setup",
            "created_at",
        )  # fmt: skip

    def get_places_taken(self, study: Study) -> int:
        counted: int | None = getattr(study, "n_taken", None)
        return places_taken(study) if counted is None else counted

    def get_setup(self, study: Study) -> SetupSerializer:
        return SetupSerializer(setup_of(study)).data  # type: ignore[return-value]


class SecretField(serializers.CharField):
    """A secret of one's own; it is taken in and never shown."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            write_only=True,
            required=False,
            allow_blank=True,
            min_length=32,
            max_length=64,
            help_text="Signs links and events, 32 to 64 characters; made here if left out.",
            **options,
        )


class StudyChangesSerializer(serializers.ModelSerializer[Study]):
    secret = SecretField()

    class Meta:
        model = Study
        fields: tuple[str, ...] = (*CHANGEABLE, "is_open")
        extra_kwargs = EXPLAINED


class NewStudySerializer(StudyChangesSerializer):
    campaign = BySlug(Campaign.objects.all())

    class Meta(StudyChangesSerializer.Meta):
        fields = ("campaign", "provider", "skill", "units", *CHANGEABLE)


class LinksSerializer(serializers.Serializer[Any]):
    participants = serializers.ListField(
        child=serializers.CharField(max_length=120), min_length=1, max_length=LINKS_MAX
    )
    hours = serializers.IntegerField(
        min_value=1, max_value=24 * 90, default=LINK_HOURS, help_text="How long the links are good."
    )
    approvals = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    approval_rate = serializers.DecimalField(
        max_digits=4, decimal_places=3, min_value=0, max_value=1, required=False
    )
    return_to = serializers.URLField(max_length=500, required=False)


class LinkSerializer(serializers.Serializer[Any]):
    participant = serializers.CharField()
    session = serializers.CharField()
    link = serializers.CharField()


class SessionSerializer(serializers.ModelSerializer[CrowdSession]):
    id = serializers.UUIDField(source="public_id")
    participant = serializers.CharField(
        source="participant.external_id", help_text="The platform's id of the participant."
    )
    session = serializers.CharField(source="external_id", help_text="The platform's id of it.")
    worker = serializers.CharField(
        source="participant.worker.public_id", help_text="The pseudonym that the data knows."
    )
    units = serializers.IntegerField(source="n_units", help_text="Twins or votes that count.")
    code = serializers.SerializerMethodField(help_text="The code that its end has shown.")

    class Meta:
        model = CrowdSession
        fields = (
            "id", "participant", "session", "worker", "status", "units", "code", "approvals",
            "approval_rate", "created_at", "ended_at",
        )  # fmt: skip

    def get_code(self, session: CrowdSession) -> str:
        return session.study.code_of(session.status)


class EventSerializer(serializers.Serializer[Any]):
    """The generic shape; Prolific sends its own."""

    session = serializers.CharField(help_text="The platform's id of the session.")
    event = serializers.ChoiceField(choices=["returned", "timed_out"])
    participant = serializers.CharField(required=False)


class EventAnswerSerializer(serializers.Serializer[Any]):
    session_status = serializers.ChoiceField(
        choices=CrowdSession.Status.choices,
        allow_null=True,
        help_text="How the session stands now; null where the event is about none that came here.",
    )
