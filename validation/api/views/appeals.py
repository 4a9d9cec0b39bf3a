"""Appeals, votes set aside, and what workers are told of their work."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection.api.views.campaigns import visible_campaign
from validation.api.examples import APPEAL, NOTICE, SET_ASIDE
from validation.api.filters import AppealFilter
from validation.api.serializers import desk, golds
from validation.models import Appeal, QualityNotice, Vote
from validation.services.appeals import answer_appeal, appeal
from validation.services.setting_aside import restore, set_aside, set_aside_all
from winoplatform.api.permissions import IsCurator
from winoplatform.api.schema import answer_example, operation, refusal_example, request_example
from winoplatform.api.views import ListView, validated
from workers.api.callers import caller
from workers.services import worker_named

TAG = "adjudication"
WHY = {"reason": "It was given in two seconds."}


class Appeals(ListView):
    queryset = Appeal.objects.select_related("worker")
    serializer_class = golds.AppealSerializer
    filterset_class = AppealFilter

    @operation(
        "appeals_list",
        tag=TAG,
        answers={200: golds.AppealSerializer(many=True)},
        refusals=[400],
        examples=[answer_example("an open appeal", APPEAL)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List one's own appeals and their answers; curators see everybody's."""
        return self.list(request)

    @operation(
        "appeals_make",
        tag=TAG,
        request=golds.NewAppealSerializer,
        answers={201: golds.AppealSerializer},
        refusals=[400, 404, 409],
        examples=[
            request_example(
                "an appeal", {name: APPEAL[name] for name in ("subject", "unit", "text")}
            ),
            answer_example("made", APPEAL, status=201),
            refusal_example(
                409,
                "appeal_too_late",
                "You can appeal for 14 days after a decision; these are over.",
                until="2026-01-15T12:00:00Z",
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        """Ask a curator to look again at what was decided about one's own work, once."""
        body = validated(golds.NewAppealSerializer, request)
        made = appeal(worker=caller(request), **body)
        return Response(golds.AppealSerializer(made).data, status=201)


class AnswerAppeal(APIView):
    permission_classes = [IsCurator]

    @operation(
        "appeals_answer",
        tag=TAG,
        request=golds.AppealAnswerSerializer,
        answers={200: golds.AppealSerializer},
        refusals=[400, 403, 404, 409],
        examples=[
            request_example("an answer", {"upheld": True, "answer": "You are right."}),
            answer_example(
                "upheld",
                APPEAL
                | {
                    "status": "upheld",
                    "answer": "You are right.",
                    "decided_at": "2026-01-03T12:00:00Z",
                },
            ),
        ],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Answer an appeal; what an upheld one asks for is done at once."""
        body = validated(golds.AppealAnswerSerializer, request)
        answered = answer_appeal(appeal_id=id, by=caller(request), **body)
        return Response(golds.AppealSerializer(answered).data)


class SetAsideVotes(ListView):
    queryset = Vote.objects.filter(set_aside_at__isnull=False).select_related(
        "question", "seat__campaign", "worker"
    )
    serializer_class = desk.SetAsideVoteSerializer

    @operation(
        "votes_set_aside_list",
        tag=TAG,
        answers={200: desk.SetAsideVoteSerializer(many=True)},
        examples=[answer_example("a vote that is not used", SET_ASIDE)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List one's own votes that were set aside, and why; curators see everybody's."""
        return self.list(request)


class SetAside(APIView):
    permission_classes = [IsCurator]

    @operation(
        "votes_set_aside",
        tag=TAG,
        request=desk.WhySerializer,
        answers={200: desk.SetAsideVoteSerializer},
        refusals=[400, 403, 404],
        examples=[request_example("why", WHY), answer_example("set aside", SET_ASIDE)],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Use a vote no more: it stays paid, its worker is told why, another one is asked for."""
        body = validated(desk.WhySerializer, request)
        return _vote(set_aside(vote_id=id, by=caller(request), **body))


class Restore(APIView):
    permission_classes = [IsCurator]

    @operation(
        "votes_restore",
        tag=TAG,
        request=desk.WhySerializer,
        answers={200: desk.SetAsideVoteSerializer},
        refusals=[400, 403, 404],
        examples=[
            request_example("why", WHY),
            answer_example("restored", SET_ASIDE | {"set_aside_at": None, "set_aside_reason": ""}),
        ],
    )
    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Use a vote again that was set aside."""
        body = validated(desk.WhySerializer, request)
        return _vote(restore(vote_id=id, by=caller(request), **body))


def _vote(vote: Vote) -> Response:
    return Response(desk.SetAsideVoteSerializer(vote).data)


class SetAsideWork(APIView):
    permission_classes = [IsCurator]

    @operation(
        "workers_set_aside",
        tag=TAG,
        request=desk.WhySinceSerializer,
        answers={200: desk.DoneSerializer},
        refusals=[400, 403, 404],
        examples=[
            request_example(
                "since a day", WHY | {"campaign": "winter", "since": "2026-01-01T00:00:00Z"}
            ),
            answer_example("more to do", {"done": 200, "left": 31}),
        ],
    )
    def post(self, request: Request, id: str) -> Response:
        """Set aside what a worker has voted here since a time; call again while any is left."""
        body = validated(desk.WhySinceSerializer, request)
        campaign = visible_campaign(request, body.pop("campaign"))
        done = set_aside_all(worker=worker_named(id), campaign=campaign, by=caller(request), **body)
        return Response(desk.DoneSerializer(done).data)


class Notices(ListView):
    queryset = QualityNotice.objects.select_related("campaign")
    serializer_class = golds.NoticeSerializer

    def visible(self, rows: Any) -> Any:
        return rows.filter(worker=self.request.user)

    @operation(
        "notices_list",
        tag=TAG,
        answers={200: golds.NoticeSerializer(many=True)},
        examples=[answer_example("a vote that is not used", NOTICE)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List what one was told of one's own work: warnings, votes set aside, twins sent back."""
        return self.list(request)
