"""A fake crowd platform, for tests and for curators who try a study by hand.

It does what a platform does and nothing else: it makes participants, gives each the link that its
provider would give, takes what comes back, and sends signed events. ``http`` serves it.
"""

import json
import secrets
import time
from dataclasses import asdict, dataclass, field
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from collection.crowd import PROVIDERS, StudyFacts
from collection.crowd.events import event_signature
from collection.crowd.generic import signed_link
from collection.crowd.mturk import PREVIEWED
from collection.crowd.prolific import event_signature as prolific_signature

COMPLETE = "/submissions/complete?cc={code}&session={session}"
LINK_SECONDS = 24 * 3600
EVENTS = {
    "prolific": {
        "awaiting_review": "AWAITING REVIEW",
        "approved": "APPROVED",
        "partially_approved": "PARTIALLY APPROVED",
        "returned": "RETURNED",
        "timed_out": "TIMED-OUT",
        "rejected": "REJECTED",
        "screened_out": "SCREENED OUT",
    },
    "mturk": {
        "awaiting_review": "AssignmentSubmitted",
        "approved": "AssignmentApproved",
        "returned": "AssignmentReturned",
        "timed_out": "AssignmentAbandoned",
        "rejected": "AssignmentRejected",
    },
    "generic": {},
}


@dataclass
class Visit:
    """A participant with a place in a study, its completion and its events."""

    provider: str
    participant: str
    session: str
    link: str
    received: list[dict[str, str]] = field(default_factory=list)
    events: list[dict[str, object]] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


class Sandbox:
    """The state and actions of the fake platform.

    Parameters
    ----------
    studies
        Facts of a study for each provider that is simulated.
    ours
        The address of the platform under test, such as ``http://127.0.0.1:8000``.
    """

    def __init__(self, studies: dict[str, StudyFacts], *, ours: str) -> None:
        self.studies = studies
        self.ours = ours
        self.origin = ""  # known once it is served
        self.visits: dict[str, Visit] = {}

    def visit(self, provider: str, participant: str = "", **signed: str) -> Visit:
        """Give a place to a participant, new or known.

        *signed* are additional parameters of a generic link, such as ``approvals``.
        """
        participant = participant or secrets.token_hex(12)
        session = secrets.token_hex(12)
        link = self._link(provider, participant, session, signed)
        visit = Visit(provider=provider, participant=participant, session=session, link=link)
        self.visits[session] = visit
        return visit

    def _link(self, provider: str, participant: str, session: str, signed: dict[str, str]) -> str:
        if provider == "generic":
            fields = {
                "participant": participant,
                "session": session,
                "expires": str(int(time.time()) + LINK_SECONDS),
                "return_to": self.origin + COMPLETE,
                **signed,
            }
            return signed_link(self.studies[provider], origin=self.ours, fields=fields)
        if provider == "prolific":
            link = self._setup_link(provider).replace("{{%PROLIFIC_PID%}}", participant)
            return link.replace("{{%SESSION_ID%}}", session).replace("{{%STUDY_ID%}}", "0" * 24)
        return self._mturk_link(workerId=participant, assignmentId=session)

    def preview(self) -> str:
        """Return the link that MTurk frames before a worker accepts."""
        return self._mturk_link(assignmentId=PREVIEWED)

    def _mturk_link(self, **ids: str) -> str:
        query = urlencode({**ids, "hitId": "SANDBOXHIT", "turkSubmitTo": self.origin})
        return f"{self._setup_link('mturk')}&{query}"

    def _setup_link(self, provider: str) -> str:
        study = self.studies[provider]
        setup = PROVIDERS[provider].setup(
            study, origin=self.ours, min_approvals=None, min_approval_rate=None
        )
        return setup.link

    def receive(self, session: str, what: dict[str, str]) -> bool:
        """Receive a completion; False if the session is unknown."""
        visit = self.visits.get(session)
        if visit is None:
            return False
        visit.received.append(what)
        return True

    def send_event(self, session: str, event: str) -> dict[str, object]:
        """Send an event that a participant left, and return the response."""
        visit = self.visits[session]
        answer = post_event(
            self.studies[visit.provider],
            visit.provider,
            ours=self.ours,
            session=session,
            participant=visit.participant,
            event=event,
        )
        visit.events.append({"event": event, **answer})
        return answer


def post_event(
    study: StudyFacts, provider: str, *, ours: str, session: str, participant: str, event: str
) -> dict[str, object]:
    """Post one signed event as *provider* does."""
    body, headers = signed_body(study, provider, session, participant, event, int(time.time()))
    address = f"{ours}/api/v1/studies/{study.id}/events/"
    request = Request(address, data=body, headers=headers, method="POST")
    try:
        with urlopen(request, timeout=30) as response:
            return {"status": response.status, "body": json.load(response)}
    except HTTPError as error:
        return {"status": error.code, "body": json.load(error)}


def signed_body(
    study: StudyFacts, provider: str, session: str, participant: str, event: str, now: int
) -> tuple[bytes, dict[str, str]]:
    """Return an event's body and headers in the format of *provider*."""
    name, at = EVENTS[provider].get(event, event), str(now)
    json_type = {"Content-Type": "application/json"}
    if provider == "prolific":
        values = {
            "resource_id": session,
            "event_type": "submission.status.change",
            "participant_id": participant,
            "status": name,
        }
        body = json.dumps(values).encode()
        signature = prolific_signature(study.event_secret, at, body)
        return body, json_type | {
            "X-Prolific-Request-Timestamp": at,
            "X-Prolific-Request-Signature": signature,
        }
    values = {"session": session, "participant": participant, "event": name}
    body = json.dumps(values).encode()
    signature = event_signature(study.event_secret or study.secret, at, body)
    return body, json_type | {"X-Wino-Timestamp": at, "X-Wino-Signature": signature}
