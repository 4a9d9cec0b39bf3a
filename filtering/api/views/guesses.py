"""Whether the machine already guesses a twin that is being written."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection.api import examples
from collection.api.serializers.campaigns import DraftSerializer
from collection.api.views.campaigns import twin_text, visible_campaign
from collection.core.findings import promoted
from collection.models import Campaign
from filtering import selectors, services
from filtering.api import serializers
from filtering.models import Guess
from winoplatform.api.schema import answer_example, operation, request_example
from winoplatform.api.views import validated

IMPOSSIBLE = (
    "There is nothing to guess: the campaign has no finished filter run that trained classifiers, "
    "or the text still lacks a sentence, a blank, an option or an answer."
)
RUN_ID = "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21"
WAITING = {
    "status": "waiting",
    "reason": "",
    "served": True,
    "filter_run": RUN_ID,
    "classifiers": 64,
    "tau": 0.75,
    "right": None,
    "finding": None,
}
ANSWERED = WAITING | {"status": "answered", "served": None, "right": [31, 36]}


class GuessTwin(APIView):
    @operation(
        "campaigns_guess",
        tag="filtering",
        request=DraftSerializer,
        answers={200: serializers.GuessSerializer, 202: serializers.GuessSerializer},
        refusals=[400, 404],
        examples=[
            request_example("a twin", examples.TWIN),
            answer_example("not guessed", ANSWERED),
            answer_example("a worker is asked", WAITING, status=202),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask whether the classifiers of the latest filter run guess a twin.

        202 while a worker finds out: ask again in a second with the same body. 200 with the
        answer, or where there will be none.
        """
        campaign = visible_campaign(request, slug)
        draft = validated(DraftSerializer, request)
        guess = services.ask_guess(campaign=campaign, text=twin_text(draft))
        waits = guess is not None and not guess.is_answered
        body = serializers.GuessSerializer(_shown(guess, campaign)).data
        return Response(body, status=202 if waits else 200)


def _shown(guess: Guess | None, campaign: Campaign) -> dict[str, Any]:
    if guess is None:
        return dict.fromkeys(WAITING) | {"status": "impossible", "reason": IMPOSSIBLE}
    finding = selectors.guess_finding(guess)
    found = promoted([finding] if finding else [], frozenset(campaign.blocking))
    return {
        "status": guess.status,
        "reason": guess.failure,
        "served": None if guess.is_answered else selectors.guesses_are_served(),
        "filter_run": guess.filter_run.public_id,
        "classifiers": guess.filter_run.n,
        "tau": guess.filter_run.tau,
        "right": [guess.right1, guess.right2] if guess.scores else None,
        "finding": found[0].as_dict() if found else None,
    }
