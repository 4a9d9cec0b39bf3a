"""Guidelines, consent, eligibility and the exercise."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from collection import services
from collection.api.serializers import joining as serializers
from collection.api.views.campaigns import visible_campaign
from collection.models import Campaign, Consent, ExerciseItem, Guideline
from collection.selectors.consents import campaign_of_consent
from collection.selectors.exercise import (
    explained_items,
    items_of_attempt,
    least_paid_of,
    shown_items,
)
from collection.services.joining.access import eligibility
from winoplatform.api.permissions import CuratorsChange
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ApiView, CuratorView, ListView, validated_query
from winoplatform.http.rights import Right
from workers.api.callers import caller
from workers.models import Attempt, User


class Guidelines(ListView):
    """List the versions of a campaign's guidelines, newest first; the newest applies."""

    reads = Right.SEE
    queryset = Guideline.objects.all()
    serializer_class = serializers.GuidelineSerializer
    permission_classes = [CuratorsChange]
    takes = serializers.NewGuidelineSerializer

    def visible(self, rows: Any) -> QuerySet[Guideline]:
        campaign = visible_campaign(self.request, self.kwargs["slug"])
        matching: QuerySet[Guideline] = rows.filter(campaign=campaign)
        return matching

    def post(self, request: Request, slug: str) -> Any:
        """Publish a new version; writers must accept it before they get another article."""
        fields = self.body()
        return services.publish_guideline(
            campaign=visible_campaign(request, slug), by=caller(request), **fields
        )


class AcceptGuidelines(ApiView):
    takes = serializers.AcceptanceSerializer
    gives = serializers.ConsentSerializer
    refuses = Refusal("guideline_outdated")

    def post(self, request: Request, slug: str) -> Any:
        """Accept a version of the guidelines for one kind of work; repeating it changes nothing."""
        return services.accept_guideline(
            worker=caller(request),
            campaign=visible_campaign(request, slug),
            **self.body(),
        )


class WithdrawConsent(ApiView):
    gives = [serializers.ConsentSerializer]
    success = 200
    refuses = Refusal("nothing_accepted")

    def post(self, request: Request, slug: str) -> Any:
        """Withdraw all that the user has accepted in a campaign.

        What they hold returns and they get no work of it, until they accept again. Work and pay
        stay; their answers to optional questions are deleted.
        """
        return services.withdraw_consent(
            worker=caller(request), campaign=campaign_of_consent(caller(request), slug)
        )


class Consents(ListView):
    """List what the user has accepted and withdrawn, newest first."""

    queryset = Consent.objects.select_related("guideline__campaign").order_by("-pk")
    serializer_class = serializers.ConsentSerializer

    def visible(self, rows: Any) -> QuerySet[Consent]:
        matching: QuerySet[Consent] = rows.filter(worker=caller(self.request))
        return matching


class EligibilityView(ApiView):
    reads = Right.SEE
    gives = serializers.EligibilitySerializer
    query = serializers.SkillSerializer

    def get(self, request: Request, slug: str) -> Any:
        """Return whether the user may write or validate in a campaign, and the steps left."""
        skill = validated_query(serializers.SkillSerializer, request)["skill"]
        return eligibility(caller(request), visible_campaign(request, slug), skill=skill)


class Exercise(ApiView):
    reads = Right.SEE
    gives = serializers.ExerciseSerializer
    query = serializers.SkillSerializer

    def get(self, request: Request, slug: str) -> Any:
        """Return the exercise without its answers, and the user's attempts with explanations."""
        campaign = visible_campaign(request, slug)
        skill = validated_query(serializers.SkillSerializer, request)["skill"]
        return _exercise(caller(request), campaign, skill)


def _exercise(worker: User, campaign: Campaign, skill: str) -> dict[str, Any]:
    state = eligibility(worker, campaign, skill=skill)
    mine = state.qualification
    parts = ExerciseItem.Part
    items = items_of_attempt(campaign, skill, mine)
    return {
        "skill": skill,
        "reward": campaign.reward_exercise,
        "currency": campaign.currency,
        "least_paid": least_paid_of(campaign, items) if items else None,
        "pass_share": campaign.exercise_pass_share,
        "attempts_left": state.attempts_left,
        "status": mine.status if mine else None,
        "trained_at": mine.trained_at if mine else None,
        "training": shown_items(list(_items(campaign, skill, parts.TRAINING)), worker),
        "items": shown_items(items, worker),
        "attempts": [_attempt(made, worker) for made in mine.attempts.all()] if mine else [],
    }


def _items(campaign: Campaign, skill: str, part: str) -> QuerySet[ExerciseItem]:
    return ExerciseItem.objects.current(campaign, skill, part)


def _attempt(made: Attempt, worker: User) -> dict[str, Any]:
    return {
        "number": made.number,
        "n_right": made.n_right,
        "n_items": made.n_items,
        "created_at": made.created_at,
        "items": explained_items(made, worker),
    }


def _answers(form: dict[str, Any]) -> dict[str, int]:
    return {str(answer["item"]): answer["choice"] for answer in form["answers"]}


class Train(ApiView):
    reads = Right.SEE
    takes = serializers.TrainingAnswersSerializer
    gives = serializers.TrainingSerializer
    refuses = [403, Refusal("no_training")]

    def post(self, request: Request, slug: str) -> Any:
        """Answer training items and get explanations; with enough right, the training is done."""
        campaign = visible_campaign(request, slug)
        form = self.body()
        return services.train(
            worker=caller(request),
            campaign=campaign,
            answers=_answers(form),
            skill=form["skill"],
        )


class SubmitExercise(ApiView):
    reads = Right.SEE
    takes = serializers.NewAttemptSerializer
    gives = serializers.AttemptSerializer
    refuses = [403, Refusal("exercise_changed")]

    def post(self, request: Request, slug: str) -> Any:
        """Submit an attempt and get explanations; the first serious one is paid (`least_paid`)."""
        campaign = visible_campaign(request, slug)
        form = self.body()
        made = services.submit_exercise(
            worker=caller(request),
            campaign=campaign,
            number=form["number"],
            answers=_answers(form),
            skill=form["skill"],
        )
        return _attempt(made, caller(request))


class ExerciseItems(CuratorView):
    takes = serializers.ExerciseTextSerializer
    gives = serializers.ExerciseTextSerializer
    query = serializers.PartSerializer

    def get(self, request: Request, slug: str) -> Response:
        """Return one part of the exercise, with its answers."""
        data = validated_query(serializers.PartSerializer, request)
        return self._response(visible_campaign(request, slug), **data)

    def put(self, request: Request, slug: str) -> Response:
        """Replace one part of the exercise; an empty list removes it.

        Workers who have passed keep their qualification.
        """
        campaign = visible_campaign(request, slug)
        data = validated_query(serializers.PartSerializer, request)
        texts = self.body()["items"]
        items = [services.ItemText(**text | {"choices": tuple(text["choices"])}) for text in texts]
        services.set_exercise(campaign=campaign, items=items, **data)
        return self._response(campaign, **data)

    def _response(self, campaign: Campaign, *, skill: str, part: str) -> Response:
        items = _items(campaign, skill, part)
        return Response(serializers.ExerciseTextSerializer({"items": items}).data)
