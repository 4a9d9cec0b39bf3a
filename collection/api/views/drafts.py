"""Drafts: unsubmitted text of an assignment."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection import services
from collection.api import examples
from collection.api.serializers import drafts as serializers
from collection.models import Draft
from collection.services.writing.assignments import own
from winoplatform.api.schema import Refusal
from winoplatform.api.views import validated
from workers.api.callers import caller

FIELDS = {
    "client_key": examples.CLIENT_KEY,
    "anchor": examples.TWIN["anchor"],
    "domain": examples.TWIN["domain"],
    "option1": "trophy",
    "option2": "suitcase",
    "sentence1": examples.TWIN["sentences"][0],
    "sentence2": "The trophy did not fit into the",
    "answer1": "1",
}
SAVED: dict[str, Any] = {"fields": FIELDS, "version": 4, "saved_at": "2026-11-21T14:03:20.512Z"}


class OneDraft(APIView):
    takes = serializers.SaveDraftSerializer
    gives = serializers.DraftSerializer
    refuses = [
        Refusal(
            "draft_outdated",
            "This text was changed in another tab or browser. Choose which version to keep.",
            **SAVED,
        ),
        Refusal(
            "article_finished",
            "The twin for this article is submitted, so this text is not saved. To change the "
            "twin, open it under “My work” and choose “Revise”.",
            status=410,
        ),
    ]
    request_examples = {
        "half a twin": {
            "fields": FIELDS,
            "version": 3,
            "evidence": {"typed_characters": 31, "edits": 31, "active_seconds": 12},
        }
    }
    answer_examples = {"half a twin": SAVED}

    def get(self, request: Request, id: uuid.UUID) -> Response:
        """Return the draft of an assignment of the user; version 0 if nothing was saved."""
        assignment = own(caller(request), id)
        draft = Draft.objects.filter(assignment=assignment).first()
        if draft is None:
            return Response({"fields": {}, "version": 0, "saved_at": None})
        return Response(serializers.DraftSerializer(draft).data)

    def put(self, request: Request, id: uuid.UUID) -> Response:
        """Save the draft, even after the lease has ended; repeating it is safe.

        Once the twin is submitted, a draft is saved only if it revises that twin.
        """
        form = validated(serializers.SaveDraftSerializer, request)
        draft = services.save_draft(
            worker=caller(request),
            assignment_id=id,
            fields=form["fields"],
            version=form["version"],
            evidence=form.get("evidence", {}),
            revises=form.get("revises"),
        )
        return Response(serializers.DraftSerializer(draft).data)
