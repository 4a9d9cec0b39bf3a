"""Amazon Mechanical Turk by ExternalQuestion: our page in MTurk's frame.

Source: AWS Mechanical Turk API Reference (2017-01-17), "ExternalQuestion" and
"QualificationRequirement".
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from math import ceil
from urllib.parse import urlencode, urlsplit
from xml.sax.saxutils import escape

from collection.core.session_reports import Report
from collection.crowd import base
from collection.crowd.base import Arrival, Ending, Event, Requirement, StudyFacts
from collection.crowd.events import signed_event
from collection.crowd.signing import link_key
from winoplatform.errors import DomainError

PREVIEWED = "ASSIGNMENT_ID_NOT_AVAILABLE"
HOSTS = ("mturk.com", "mturksandbox.com")
SUBMIT = "/mturk/externalSubmit"
SCHEMA = (
    "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/"
    "ExternalQuestion.xsd"
)
ID = re.compile(r"[A-Za-z0-9]{5,64}")
REPORTS = {
    "AssignmentSubmitted": Report.AWAITING_REVIEW,
    "AssignmentApproved": Report.APPROVED,
    "AssignmentRejected": Report.REJECTED,
    "AssignmentReturned": Report.RETURNED,
    "AssignmentAbandoned": Report.TIMED_OUT,
    **{report.value: report for report in Report},
}


class MechanicalTurk(base.Provider):
    """The link proves only the study: MTurk does not sign a worker's id."""

    name = "mturk"
    renews_sessions = True
    frame_ancestors = tuple(f"https://{place}{host}" for host in HOSTS for place in ("", "*."))

    def read(self, study: StudyFacts, query: Mapping[str, str], now: int) -> Arrival:
        base.refuse_without_key(study, query)
        if query.get("assignmentId", PREVIEWED) == PREVIEWED:
            return Arrival(is_preview=True)
        return Arrival(
            participant=_worker(_id(query, "workerId")),
            session=_id(query, "assignmentId"),
            return_to=_submit_to(query, study),
        )

    def ending(self, study: StudyFacts, *, session: str, code: str, return_to: str) -> Ending:
        fields = (("assignmentId", session), ("code", code))
        return Ending(code=code, form_action=f"{return_to}{SUBMIT}", form_fields=fields)

    def event(
        self, study: StudyFacts, headers: Mapping[str, str], body: bytes, now: int
    ) -> Event | None:
        event = signed_event(study, headers, body, now, names=REPORTS)
        return replace(event, participant=_worker(event.participant)) if event else None

    def link_query(self, study: StudyFacts, asked: tuple[Requirement, ...]) -> str:
        return urlencode({"key": link_key(study.secret, study.id)})

    def completion(self, study: StudyFacts) -> str:
        return ""

    def requirements(self, approvals: int | None, rate: Decimal | None) -> tuple[Requirement, ...]:
        requirements = []
        if rate is not None:
            name = "Worker_PercentAssignmentsApproved (000000000000000000L0)"
            # Whole per cents only: a share between two of them asks for the higher one.
            requirements.append(Requirement(name, f"GreaterThanOrEqualTo {ceil(rate * 100)}"))
        if approvals is not None:
            name = "Worker_NumberHITsApproved (00000000000000000040)"
            requirements.append(Requirement(name, f"GreaterThanOrEqualTo {approvals}"))
        return tuple(requirements)


def external_question(link: str) -> str:
    """Return the question of a HIT that shows *link* in MTurk's frame."""
    return (
        f'<ExternalQuestion xmlns="{SCHEMA}">\n'
        f"  <ExternalURL>{escape(link)}</ExternalURL>\n"
        f"  <FrameHeight>600</FrameHeight>\n"
        "</ExternalQuestion>"
    )


def _id(query: Mapping[str, str], name: str) -> str:
    value = base.identifier(query, name)
    if not ID.fullmatch(value):
        raise DomainError(
            "link_incomplete",
            f"The link's “{name}” is not a Mechanical Turk id. Open the HIT from MTurk.",
        )
    return value


def _worker(name: str) -> str:
    """Return a worker's id in upper case, as MTurk does: lower case would be another account."""
    return name.upper()


def _submit_to(query: Mapping[str, str], study: StudyFacts) -> str:
    """Return the origin to which the form is posted, if it is MTurk's own."""
    address = query.get("turkSubmitTo", "")
    origin = base.origin_of(address)
    if study.sandbox and origin == study.sandbox:
        return origin
    host = (urlsplit(address).hostname or "") if base.is_web_address(address) else ""
    is_theirs = any(host == suffix or host.endswith(f".{suffix}") for suffix in HOSTS)
    if not is_theirs or urlsplit(address).path not in ("", "/"):
        raise DomainError(
            "submit_place_wrong",
            "The link's submit address is not Mechanical Turk. Open the HIT from MTurk.",
            status=403,
        )
    return origin
