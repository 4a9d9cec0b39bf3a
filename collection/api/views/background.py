"""Optional questions about people, a person's own answers, and the counts that are published."""

from typing import Any

from rest_framework.request import Request

from collection import services
from collection.api.serializers import background as serializers
from collection.api.views.campaigns import visible_campaign
from collection.core.background import QuestionText
from collection.models import BackgroundQuestion
from collection.selectors.background import background_of, own_answers
from collection.selectors.consents import campaign_of_consent
from winoplatform.api.permissions import CuratorsChange
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ApiView, CuratorView
from winoplatform.http.rights import Right
from workers.api.callers import caller


class Background(ApiView):
    reads = Right.SEE
    permission_classes = [CuratorsChange]
    takes = serializers.ChosenQuestionsSerializer
    gives = [serializers.BackgroundQuestionSerializer]

    def get(self, request: Request, slug: str) -> Any:
        """Return the optional questions that a campaign asks its people about themselves."""
        return BackgroundQuestion.objects.asked_in(visible_campaign(request, slug))

    def put(self, request: Request, slug: str) -> Any:
        """Choose the questions; the answers to one that is left out are deleted."""
        chosen = self.body()
        own = [
            QuestionText(each["text"], tuple(each["options"]), each["many"])
            for each in chosen["own"]
        ]  # fmt: skip
        return services.set_background(
            campaign=visible_campaign(request, slug), codes=chosen["codes"], own=own
        )


class OwnBackground(ApiView):
    reads = Right.SEE
    takes = {"PUT": serializers.GivenAnswersSerializer}
    gives = {
        "GET": [serializers.OwnAnswerSerializer],
        "PUT": [serializers.OwnAnswerSerializer],
        "DELETE": None,
    }
    refuses = Refusal("guideline_not_accepted")

    def get(self, request: Request, slug: str) -> Any:
        """Return the user's own answers."""
        return own_answers(caller(request), campaign_of_consent(caller(request), slug))

    def put(self, request: Request, slug: str) -> Any:
        """Answer the optional questions, in place of earlier answers."""
        answers = {str(each["question"]): each["chosen"] for each in self.body()["answers"]}
        campaign = campaign_of_consent(caller(request), slug)
        return services.answer_background(
            worker=caller(request), campaign=campaign, answers=answers
        )

    def delete(self, request: Request, slug: str) -> Any:
        """Delete the user's own answers."""
        campaign = campaign_of_consent(caller(request), slug)
        services.delete_background(worker=caller(request), campaign=campaign)


class BackgroundCounts(CuratorView):
    reads = Right.SEE
    success = 200
    gives = [serializers.BackgroundCountsSerializer]

    def get(self, request: Request, slug: str) -> Any:
        """Return the counts as they are published now; they change only for groups of people."""
        return background_of(visible_campaign(request, slug))

    def post(self, request: Request, slug: str) -> Any:
        """Count the people who have answered since, if they are enough for a group."""
        campaign = visible_campaign(request, slug)
        services.publish_background(campaign=campaign)
        return background_of(campaign)
