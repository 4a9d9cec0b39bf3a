"""What stands before writing: guidelines, the exercise, and where one stands."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection import services
from collection.api.serializers import joining as serializers
from collection.api.views.campaigns import TAG, visible_campaign
from collection.models import Campaign, ExerciseItem, Guideline
from collection.selectors.exercise import explained_items, shown_items
from collection.services.access import standing
from winoplatform.api.permissions import CuratorsChange, IsCurator
from winoplatform.api.schema import answer_example, operation, refusal_example, request_example
from winoplatform.api.views import ListView, validated
from workers.api.callers import caller
from workers.models import Attempt, Qualification, User

ITEM = "3f0b7a51-7a4e-4d43-8f4e-6f0f6a0a4c11"
ITEM_TEXT: dict[str, Any] = {
    "prompt": "Which pair makes a good twin?",
    "choices": ["wide / not wide", "wide / narrow"],
    "answer": 2,
    "explanation": "A real contrast is better than a plain negation.",
}
GUIDELINE = {
    "version": 2,
    "text": "## What we look for\n…",
    "aids_policy": "Spell checkers only.",
    "created_at": "2026-01-01T12:00:00Z",
}
SHOWN_ITEM = {
    "id": ITEM,
    "number": 1,
    "prompt": ITEM_TEXT["prompt"],
    "choices": ITEM_TEXT["choices"],
}
ATTEMPT = {
    "number": 1,
    "n_right": 1,
    "n_items": 1,
    "created_at": "2026-01-01T12:00:00Z",
    "items": [
        SHOWN_ITEM
        | {"chosen": 2, "answer": 2, "is_right": True, "explanation": ITEM_TEXT["explanation"]}
    ],
}
EXERCISE = {
    "reward": "0.50",
    "currency": "USD",
    "pass_share": "0.80",
    "attempts_left": 1,
    "status": "passed",
    "items": [SHOWN_ITEM],
    "attempts": [ATTEMPT],
}


class Guidelines(ListView):
    queryset = Guideline.objects.all()
    serializer_class = serializers.GuidelineSerializer
    permission_classes = [CuratorsChange]

    def visible(self, rows: Any) -> QuerySet[Guideline]:
        campaign = visible_campaign(self.request, self.kwargs["slug"])
        found: QuerySet[Guideline] = rows.filter(campaign=campaign)
        return found

    @operation(
        "guidelines_list",
        tag=TAG,
        answers={200: serializers.GuidelineSerializer(many=True)},
        refusals=[404],
        examples=[answer_example("the newest version", GUIDELINE)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the versions of a campaign's guidelines; the first one is what counts."""
        return self.list(request)

    @operation(
        "guidelines_publish",
        tag=TAG,
        request=serializers.NewGuidelineSerializer,
        answers={201: serializers.GuidelineSerializer},
        refusals=[400, 403, 404],
        examples=[
            request_example(
                "a new version",
                {"text": GUIDELINE["text"], "aids_policy": GUIDELINE["aids_policy"]},
            ),
            answer_example("published", GUIDELINE, status=201),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Publish a new version; writers accept it before they get another article."""
        fields = validated(serializers.NewGuidelineSerializer, request)
        guideline = services.publish_guideline(
            campaign=visible_campaign(request, slug), by=caller(request), **fields
        )
        return Response(serializers.GuidelineSerializer(guideline).data, status=201)


class AcceptGuidelines(APIView):
    @operation(
        "guidelines_accept",
        tag=TAG,
        request=serializers.VersionSerializer,
        answers={200: serializers.ConsentSerializer},
        refusals=[400, 404, 409],
        examples=[
            request_example("the newest version", {"version": 2}),
            answer_example("accepted", {"version": 2, "accepted_at": "2026-01-01T12:00:00Z"}),
            refusal_example(
                409,
                "guideline_outdated",
                "These guidelines have changed; read the newest version and accept that one.",
                version=3,
            ),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Say that one has read a version and keeps to it; twice is the same as once."""
        consent = services.accept_guideline(
            worker=caller(request),
            campaign=visible_campaign(request, slug),
            version=validated(serializers.VersionSerializer, request)["version"],
        )
        return Response(serializers.ConsentSerializer(consent).data)


class StandingView(APIView):
    @operation(
        "campaigns_standing",
        tag=TAG,
        answers={200: serializers.StandingSerializer},
        refusals=[404],
        examples=[
            answer_example(
                "the exercise is next",
                {
                    "campaign": "winter",
                    "may_write": False,
                    "next_step": "exercise",
                    "steps": [
                        {"code": "guidelines", "state": "done"},
                        {"code": "exercise", "state": "todo"},
                    ],
                    "refusals": [
                        {
                            "code": "exercise_not_passed",
                            "message": "Do the short exercise of this campaign first.",
                            "details": {"attempts_left": 2},
                        }
                    ],
                    "attempts_left": 2,
                },
            )
        ],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Whether one may write in a campaign, and what is still to do before."""
        found = standing(caller(request), visible_campaign(request, slug))
        return Response(serializers.StandingSerializer(found).data)


class Exercise(APIView):
    @operation(
        "exercise_retrieve",
        tag=TAG,
        answers={200: serializers.ExerciseSerializer},
        refusals=[404],
        examples=[answer_example("passed at once", EXERCISE)],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The exercise without its answers, and one's attempts with their explanations."""
        campaign = visible_campaign(request, slug)
        shown = _exercise(caller(request), campaign)
        return Response(serializers.ExerciseSerializer(shown).data)


def _exercise(worker: User, campaign: Campaign) -> dict[str, Any]:
    found = standing(worker, campaign)
    mine = found.qualification
    return {
        "reward": campaign.reward_exercise,
        "currency": campaign.currency,
        "pass_share": campaign.exercise_pass_share,
        "attempts_left": found.attempts_left,
        "status": mine.status if mine else None,
        "items": shown_items(list(_items(campaign)), worker),
        "attempts": [_attempt(made, worker) for made in mine.attempts.all()] if mine else [],
    }


def _items(campaign: Campaign) -> QuerySet[ExerciseItem]:
    return ExerciseItem.objects.current(campaign, Qualification.Skill.WRITE)


def _attempt(made: Attempt, worker: User) -> dict[str, Any]:
    return {
        "number": made.number,
        "n_right": made.n_right,
        "n_items": made.n_items,
        "created_at": made.created_at,
        "items": explained_items(made, worker),
    }


class SubmitExercise(APIView):
    @operation(
        "exercise_submit",
        tag=TAG,
        request=serializers.NewAttemptSerializer,
        answers={200: serializers.AttemptSerializer},
        refusals=[400, 403, 404, 409],
        examples=[
            request_example("one item", {"number": 1, "answers": [{"item": ITEM, "choice": 2}]}),
            refusal_example(
                409,
                "exercise_changed",
                "The exercise has changed since you opened it; do the one that is there now.",
            ),
            answer_example("all right", ATTEMPT),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Hand in an attempt and get it explained; the first one is paid, right or wrong."""
        campaign = visible_campaign(request, slug)
        form = validated(serializers.NewAttemptSerializer, request)
        made = services.submit_exercise(
            worker=caller(request),
            campaign=campaign,
            number=form["number"],
            answers={str(answer["item"]): answer["choice"] for answer in form["answers"]},
        )
        return Response(serializers.AttemptSerializer(_attempt(made, caller(request))).data)


class ExerciseItems(APIView):
    permission_classes = [IsCurator]

    @operation(
        "exercise_items",
        tag=TAG,
        answers={200: serializers.ExerciseTextSerializer},
        refusals=[403, 404],
        examples=[answer_example("one item", {"items": [ITEM_TEXT]})],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The exercise with its answers."""
        return self._shown(visible_campaign(request, slug))

    @operation(
        "exercise_set",
        tag=TAG,
        request=serializers.ExerciseTextSerializer,
        answers={200: serializers.ExerciseTextSerializer},
        refusals=[400, 403, 404],
        examples=[
            request_example("one item", {"items": [ITEM_TEXT]}),
            answer_example("stored", {"items": [ITEM_TEXT]}),
        ],
    )
    def put(self, request: Request, slug: str) -> Response:
        """Replace the whole exercise; an empty list asks for none. Who has passed stays so."""
        campaign = visible_campaign(request, slug)
        texts = validated(serializers.ExerciseTextSerializer, request)["items"]
        items = [services.ItemText(**text | {"choices": tuple(text["choices"])}) for text in texts]
        services.set_exercise(campaign=campaign, items=items)
        return self._shown(campaign)

    def _shown(self, campaign: Campaign) -> Response:
        return Response(serializers.ExerciseTextSerializer({"items": _items(campaign)}).data)
