"""Actions on many questions: prepared, then confirmed and executed, as on the Data tab."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.views.campaigns import visible_campaign
from validation.api.serializers import bulk as serializers
from validation.models import BulkItem
from validation.services.review.bulk import (
    action_of,
    confirm_bulk,
    execute_bulk,
    keys_of,
    prepare_bulk,
)
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, ListView, validated
from workers.api.callers import caller

TAG = "adjudication"
PREPARED: dict[str, Any] = {
    "id": "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21",
    "campaign": "winter",
    "kind": "invalid",
    "note": "",
    "reasons": [],
    "created_at": "2026-01-01T12:00:00Z",
    "confirmed_at": None,
    "done": 0,
    "refused": 0,
    "left": 2,
}
CONFIRMATION = {"note": "Both fit both options.", "reasons": ["ambiguous"]}
EXECUTED = PREPARED | CONFIRMATION
EXECUTED |= {
    "confirmed_at": "2026-01-01T12:01:00Z",
    "done": 1,
    "refused": 1,
    "left": 0,
}
REFUSED = {"question": "8d1f0a6b2c3e4f50", "message": "The question has changed meanwhile."}


class BulkActions(CuratorView):
    takes = serializers.NewBulkSerializer
    gives = serializers.BulkSerializer
    success = 201
    refuses = Refusal(
        "unknown_question",
        "There is no question 8d1f0a6b2c3e4f50 in this campaign.",
        status=404,
    )
    request_examples = {
        "two questions": {"kind": "invalid", "questions": ["8d1f0a6b2c3e4f50", "03c1b7aa95d2e684"]}
    }
    answer_examples = {"prepared": PREPARED}

    def post(self, request: Request, slug: str) -> Response:
        """Prepare an action on many questions; nothing is done until it is confirmed.

        The questions are stored as they are now: one that changes before it is acted on is
        refused. A new action replaces one of yours that was not confirmed.
        """
        campaign = visible_campaign(request, slug)
        said = validated(serializers.NewBulkSerializer, request)
        action = prepare_bulk(
            campaign=campaign,
            kind=said["kind"],
            questions=keys_of(campaign=campaign, ids=said["questions"]),
            by=caller(request),
        )
        return Response(serializers.BulkSerializer(action).data, status=201)


class OneBulkAction(CuratorView):
    gives = serializers.BulkSerializer
    answer_examples = {"executed": EXECUTED}

    def get(self, request: Request, id: uuid.UUID) -> Response:
        """Return an action of yours, and how far it is."""
        action = action_of(by=caller(request), action_id=id)
        return Response(serializers.BulkSerializer(action).data)


class BulkRefusals(CuratorRows, ListView):
    """List the questions that an action of yours was refused for, with the reasons."""

    queryset = BulkItem.objects.filter(outcome=BulkItem.Outcome.REFUSED).select_related("question")
    serializer_class = serializers.RefusedItemSerializer
    answer_examples = {"a refused question": REFUSED}

    def visible(self, rows: Any) -> Any:
        return rows.filter(action=action_of(by=caller(self.request), action_id=self.kwargs["id"]))


class ConfirmBulk(CuratorView):
    takes = serializers.ConfirmBulkSerializer
    gives = serializers.BulkSerializer
    refuses = Refusal("note_missing", "Enter a reason for the audit log.", status=400)
    request_examples = {"not valid": CONFIRMATION}
    answer_examples = {"executed": EXECUTED}

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Confirm an action and execute it for some seconds; repeat while questions are left.

        Each question is acted on once, however often this is repeated; what was confirmed first
        holds.
        """
        by = caller(request)
        action = action_of(by=by, action_id=id)
        said = validated(serializers.ConfirmBulkSerializer, request)
        confirmed = confirm_bulk(action_id=id, campaign=action.campaign, by=by, **said)
        execute_bulk(action=confirmed)
        return Response(serializers.BulkSerializer(confirmed).data)
