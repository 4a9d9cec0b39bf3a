"""Events are believed by their signature and time only."""

import base64
import hashlib
import hmac
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.core.session_reports import Report
from collection.crowd import PROVIDERS, Event, events, prolific
from tests.collection.crowd.links import NOW, PID, SID, STUDY
from tests.sandbox import signed_body
from winoplatform.errors import DomainError

Headers = dict[str, str]


def told(provider: str, body: bytes, headers: Headers, now: int = NOW) -> Event | None:
    lowered = {name.lower(): value for name, value in headers.items()}
    return PROVIDERS[provider].event(STUDY, lowered, body, now)


def refusal(provider: str, body: bytes, headers: Headers, now: int = NOW) -> str:
    with pytest.raises(DomainError) as refused:
        told(provider, body, headers, now)
    return refused.value.code


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("report", Report)
def test_a_signed_event_says_how_a_session_stands(provider: str, report: Report) -> None:
    body, headers = signed_body(STUDY, provider, SID, PID, report.value, NOW)
    who = PID.upper() if provider == "mturk" else PID  # as that platform writes it
    event = Event(session=SID, participant=who, report=report, sent_at=NOW)
    assert told(provider, body, headers) == event


def test_prolifics_signature_is_the_one_of_its_documentation() -> None:
    body = json.dumps({"resource_id": SID, "event_type": "submission.status.change",
                       "participant_id": PID, "status": "RETURNED"}).encode()  # fmt: skip
    key, message = STUDY.event_secret.encode(), str(NOW).encode() + body
    signature = base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()
    headers = {
        "X-Prolific-Request-Timestamp": str(NOW),
        "X-Prolific-Request-Signature": signature,
    }
    assert told("prolific", body, headers) is not None


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_forged_event_is_refused(provider: str) -> None:
    body, headers = signed_body(STUDY, provider, SID, PID, "returned", NOW)
    name = next(name for name in headers if name.endswith("Signature"))
    assert refusal(provider, body, headers | {name: "AAAA"}) == "signature_wrong"
    assert refusal(provider, body + b" ", headers) == "signature_wrong"
    assert refusal(provider, body, {}) == "signature_wrong"
    other = replace(STUDY, event_secret="another")
    body, headers = signed_body(other, provider, SID, PID, "returned", NOW)
    assert refusal(provider, body, headers) == "signature_wrong"


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("at", [NOW - 601, NOW + 601])
def test_an_event_of_another_time_is_refused(provider: str, at: int) -> None:
    body, headers = signed_body(STUDY, provider, SID, PID, "returned", at)
    assert refusal(provider, body, headers) == "event_outdated"


@pytest.mark.parametrize("status", ["ACTIVE", "RESERVED", "PROCESSING", "", "returned\x00"])
def test_what_else_prolific_says_changes_nothing(status: str) -> None:
    body, headers = signed_body(STUDY, "prolific", SID, PID, status, NOW)
    assert told("prolific", body, headers) is None


def test_a_prolific_study_without_its_secret_believes_nothing() -> None:
    bare = replace(STUDY, event_secret="")
    body, headers = signed_body(bare, "prolific", SID, PID, "returned", NOW)
    with pytest.raises(DomainError) as refused:
        PROVIDERS["prolific"].event(bare, {k.lower(): v for k, v in headers.items()}, body, NOW)
    assert refused.value.code == "events_not_set_up"


@pytest.mark.parametrize("provider", PROVIDERS)
@given(body=st.binary(max_size=60) | st.sampled_from([b"[]", b"null", b'{"event": "returned"}']))
def test_any_signed_body_is_read_or_refused(provider: str, body: bytes) -> None:
    try:
        answer: object = told(provider, body, _signed(provider, body))
    except DomainError as refused:
        answer = refused.code
    assert answer in (None, "event_malformed")


def _signed(provider: str, body: bytes) -> Headers:
    at = str(NOW)
    if provider == "prolific":
        signature = prolific.event_signature(STUDY.event_secret, at, body)
        return {prolific.TIMESTAMP: at, prolific.SIGNATURE: signature}
    signature = events.event_signature(STUDY.event_secret, at, body)
    return {events.TIMESTAMP: at, events.SIGNATURE: signature}
