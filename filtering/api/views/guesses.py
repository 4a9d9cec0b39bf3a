"""Whether the machine already guesses a twin that is being written."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection.api import examples
from collection.api.views.campaigns import twin_text, visible_campaign
from collection.services.assignments import own
from filtering import selectors, services
from filtering.api import serializers
from filtering.models import Guess
from winoplatform.api.schema import answer_example, operation, request_example
from winoplatform.api.views import validated
from winoplatform.errors import NotFound
from workers.api.callers import caller

IMPOSSIBLE = (
    "There is nothing to guess: the campaign is closed or has no finished filter run that trained "
    "classifiers, the assignment is over, the text lacks a sentence, a blank, an option or "
    "opposite answers, or it is much the same as a question of the campaign."
)
FAILED = "The machine cannot guess now."
TWIN = examples.TWIN | {"assignment": examples.ASSIGNMENT_ID}
WAITING = {"status": "waiting", "reason": "", "served": True, "finding": None}
ANSWERED = WAITING | {"status": "answered", "served": None}


class GuessTwin(APIView):
    @operation(
        "campaigns_guess",
        tag="filtering",
        request=serializers.GuessedTwinSerializer,
        answers={200: serializers.GuessSerializer, 202: serializers.GuessSerializer},
        refusals=[400, 404],
        examples=[
            request_example("a twin", TWIN),
            answer_example("not guessed", ANSWERED),
            answer_example("a worker is asked", WAITING, status=202),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask whether the latest filter run guesses a twin that one is writing.

        202 while a worker finds out: ask again in a second with the same body. 200 with the
        answer, or where there will be none.
        """
        campaign = visible_campaign(request, slug)
        draft = validated(serializers.GuessedTwinSerializer, request)
        worker = caller(request)
        assignment = own(worker, draft["assignment"])
        if assignment.campaign_id != campaign.pk:
            raise NotFound("assignment")
        guess = services.ask_guess(worker=worker, assignment=assignment, text=twin_text(draft))
        waits = guess is not None and not guess.is_answered
        body = serializers.GuessSerializer(_shown(guess)).data
        return Response(body, status=202 if waits else 200)


def _shown(guess: Guess | None) -> dict[str, Any]:
    """What a writer may know: no counts, and of a failure only that it is one."""
    if guess is None:
        return dict.fromkeys(WAITING) | {"status": "impossible", "reason": IMPOSSIBLE}
    finding = selectors.guess_finding(guess)
    return {
        "status": guess.status,
        "reason": FAILED if guess.status == Guess.Status.FAILED else "",
        "served": None if guess.is_answered else selectors.guesses_are_served(),
        "finding": finding.as_dict() if finding else None,
    }
