"""Drafts: unsubmitted text of an assignment."""

import uuid
from typing import Any

from rest_framework.request import Request

from collection import services
from collection.api.serializers import authoring as serializers
from collection.models import Draft
from collection.services.writing.assignments import own
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ApiView
from workers.api.callers import caller


class OneDraft(ApiView):
    takes = serializers.SaveDraftSerializer
    gives = serializers.DraftSerializer
    refuses = [Refusal("draft_outdated"), Refusal("article_finished", status=410)]

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """Return the draft of an assignment of the user; version 0 if nothing was saved."""
        assignment = own(caller(request), id)
        stored = Draft.objects.filter(assignment=assignment).first()
        return stored or {"fields": {}, "version": 0, "saved_at": None}

    def put(self, request: Request, id: uuid.UUID) -> Any:
        """Save the draft, even after the lease has ended; repeating it is safe.

        Once the twin is submitted, a draft is saved only if it revises that twin.
        """
        form = self.body()
        return services.save_draft(
            worker=caller(request),
            assignment_id=id,
            fields=form["fields"],
            version=form["version"],
            evidence=form.get("evidence", {}),
            revises=form.get("revises"),
        )
