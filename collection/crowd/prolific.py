"""Prolific: ids in the link, completion codes, signed webhooks.

Source: docs.prolific.com, "Submission object", "Webhooks: Receiving, Verifying", and the
researchers' help on URL parameters.
"""

import base64
import re
from collections.abc import Mapping
from decimal import Decimal

from collection.core.session_reports import Report
from collection.crowd import base
from collection.crowd.base import Arrival, Ending, Event, Requirement, StudyFacts
from collection.crowd.events import parsed, text
from collection.crowd.signing import digest, is_same, link_key, refuse_stale, wrong_signature
from winoplatform.errors import DomainError

COMPLETE = "https://app.prolific.com/submissions/complete?cc={code}"
SIGNATURE, TIMESTAMP = "x-prolific-request-signature", "x-prolific-request-timestamp"
STATUS_CHANGE = "submission.status.change"
REPORTS = {report.value.upper().replace("_", "-"): report for report in Report}
# The platform's ids; a placeholder that was not filled in does not match.
ID = re.compile(r"[0-9a-fA-F]{24}")


class Prolific(base.Provider):
    """The link proves only the study: its holder can insert any participant's id."""

    name = "prolific"

    def read(self, study: StudyFacts, query: Mapping[str, str], now: int) -> Arrival:
        base.refuse_without_key(study, query)
        return Arrival(participant=_id(query, "PROLIFIC_PID"), session=_id(query, "SESSION_ID"))

    def ending(self, study: StudyFacts, *, session: str, code: str, return_to: str) -> Ending:
        address = study.return_url or COMPLETE
        return Ending(code=code, url=base.filled(address, code=code, session=session))

    def event(
        self, study: StudyFacts, headers: Mapping[str, str], body: bytes, now: int
    ) -> Event | None:
        if not study.event_secret:
            raise DomainError(
                "events_not_set_up",
                "The webhook secret of the Prolific workspace is missing. Set it as the study's "
                "event secret.",
                status=403,
            )
        timestamp = headers.get(TIMESTAMP, "")
        expected = event_signature(study.event_secret, timestamp, body)
        if not is_same(headers.get(SIGNATURE, ""), expected):
            raise wrong_signature("event")
        refuse_stale(timestamp, now)
        return _event(body, int(timestamp))

    def link_query(self, study: StudyFacts, asked: tuple[Requirement, ...]) -> str:
        names = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
        ids = "&".join(f"{name}={{{{%{name}%}}}}" for name in names)
        return f"key={link_key(study.secret, study.id)}&{ids}"

    def completion(self, study: StudyFacts) -> str:
        return study.return_url or COMPLETE

    def requirements(self, approvals: int | None, rate: Decimal | None) -> tuple[Requirement, ...]:
        requirements = []
        if rate is not None:
            requirements.append(
                Requirement("Prescreen participants → Approval rate", f"{rate:.1%} to 100%")
            )
        if approvals is not None:
            name = "Prescreen participants → Number of previous submissions"
            requirements.append(Requirement(name, f"at least {approvals}"))
        return tuple(requirements)


def event_signature(secret: str, timestamp: str, body: bytes) -> str:
    """Sign as Prolific does: base64 of HMAC-SHA256 over timestamp and body, concatenated."""
    message = timestamp.encode("utf-8", "replace") + body
    return base64.b64encode(digest(secret, message)).decode()


def _id(query: Mapping[str, str], name: str) -> str:
    value = base.identifier(query, name)
    if not ID.fullmatch(value):
        raise DomainError(
            "link_incomplete",
            f"The link's “{name}” is not a Prolific id. Open the study from Prolific.",
        )
    return value.lower()


def _event(body: bytes, sent_at: int) -> Event | None:
    values = parsed(body)
    status = re.sub("[ _]", "-", str(values.get("status")).upper())
    if values.get("event_type") != STATUS_CHANGE or status not in REPORTS:
        return None
    return Event(
        session=text(values, "resource_id").lower(),
        participant=str(values.get("participant_id") or "").lower(),
        report=REPORTS[status],
        sent_at=sent_at,
    )
