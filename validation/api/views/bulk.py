"""Actions on many questions: prepared, then confirmed and executed, as on the Data tab."""

import uuid
from typing import Any

from rest_framework.request import Request

from collection.api.views.campaigns import visible_campaign
from validation.api.serializers import people as serializers
from validation.models import BulkItem
from validation.services.review.bulk import (
    action_of,
    confirm_bulk,
    execute_bulk,
    execute_undo,
    keys_of,
    prepare_bulk,
    request_undo,
)
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, ListView
from winoplatform.http.rights import Right
from workers.api.callers import caller

TAG = "review"


class BulkActions(CuratorView):
    changes = Right.DECIDE
    takes = serializers.NewBulkSerializer
    gives = serializers.BulkSerializer
    success = 201
    refuses = Refusal("unknown_question", status=404)

    def post(self, request: Request, slug: str) -> Any:
        """Prepare an action on many questions; nothing is done until it is confirmed.

        The questions are stored as they are now: one that changes before it is acted on is
        refused. A new action replaces one of yours that was not confirmed.
        """
        campaign = visible_campaign(request, slug)
        data = self.body()
        return prepare_bulk(
            campaign=campaign,
            kind=data["kind"],
            questions=keys_of(campaign=campaign, ids=data["questions"]),
            by=caller(request),
        )


class OneBulkAction(CuratorView):
    gives = serializers.BulkSerializer

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """Return an action of yours, and how far it is."""
        return action_of(by=caller(request), action_id=id)


class BulkRefusals(CuratorRows, ListView):
    """List the questions that an action of yours was refused or not undone for, with reasons."""

    queryset = BulkItem.objects.exclude(message="").select_related("question")
    serializer_class = serializers.RefusedItemSerializer

    def visible(self, rows: Any) -> Any:
        return rows.filter(action=action_of(by=caller(self.request), action_id=self.kwargs["id"]))


class ConfirmBulk(CuratorView):
    changes = Right.DECIDE
    takes = serializers.ConfirmBulkSerializer
    gives = serializers.BulkSerializer
    refuses = Refusal("note_missing", status=400)

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Confirm an action and execute it for some seconds; repeat while questions are left.

        Each question is acted on once, however often this is repeated; what was confirmed first
        holds.
        """
        by = caller(request)
        action = action_of(by=by, action_id=id)
        confirmed = confirm_bulk(action_id=id, campaign=action.campaign, by=by, **self.body())
        execute_bulk(action=confirmed)
        return confirmed


class UndoBulk(CuratorView):
    changes = Right.DECIDE
    gives = serializers.BulkSerializer
    refuses = [Refusal("not_finished"), Refusal("budget_exhausted")]

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Undo an action of yours for some seconds; repeat while questions are done.

        Each question is again as it was before the action. Some are not undone, such as those that
        have changed since; `/bulk-actions/{id}/refusals/` says why. Where the budget does not pay
        for votes that are needed again, the undo stops, and can be repeated with a larger budget.
        """
        by = caller(request)
        action = action_of(by=by, action_id=id)
        undone = request_undo(action_id=id, campaign=action.campaign, by=by)
        execute_undo(action=undone)
        return undone
