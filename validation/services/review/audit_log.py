"""The audit log: every change of a verdict adds an event."""

import json
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from collection.models import Question
from validation.models import Verdict, VerdictEvent, Vote
from workers.models import User


def of_verdict(verdict: Verdict | None) -> dict[str, Any] | None:
    """Return a verdict as stored in the audit log; None if there is none."""
    if verdict is None:
        return None
    return {
        "valid": verdict.valid,
        "reasons": list(map(str, verdict.reasons)),
        "counts": verdict.counts,
        "policy": str(verdict.policy),
        "version": verdict.version,
        "decided_by": verdict.decided_by.public_id if verdict.decided_by else None,
    }


def of_vote(vote: Vote) -> dict[str, Any]:
    """Return a vote as stored in the audit log."""
    vote_facts = {
        "vote": vote.public_id,
        "option": vote.option,
        "ambiguous": vote.ambiguous,
        "local_option": vote.local_option,
        "comment": vote.comment,
        "report": vote.report,
        "excluded_at": vote.excluded_at,
        "exclusion_reason": vote.exclusion_reason,
    }
    as_json: dict[str, Any] = json.loads(json.dumps(vote_facts, cls=DjangoJSONEncoder))
    return as_json


def write(
    *,
    question: Question,
    action: str,
    now: datetime,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    by: User | None = None,
    reason: str = "",
) -> VerdictEvent:
    """Add an event. The question's row must be locked, so that events are ordered by key."""
    return VerdictEvent.objects.create(
        question=question,
        action=action,
        by=by,
        reason=reason,
        before=before,
        after=after,
        created_at=now,
    )
