"""Serializers of validation."""

from validation.api.serializers.people import PausedSerializer, WorkerSerializer
from validation.api.serializers.seats import (
    BallotSerializer,
    ClaimRequestSerializer,
    ClaimSerializer,
    LocalAnswerSerializer,
    SeatReturnSerializer,
    SeatSerializer,
    seat_body,
)
from validation.api.serializers.validated import (
    CuratorQuestionSerializer,
    ProvenanceSerializer,
    ReasonSerializer,
    ValidatedQuestionSerializer,
    ValidatedTwinSerializer,
    VerdictSerializer,
)
from validation.api.serializers.votes import VoteSerializer, vote_body
