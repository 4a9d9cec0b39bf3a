"""Any platform or script that signs each participant's link with the study's secret."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from urllib.parse import urlencode

from collection.core.session_reports import Report
from collection.crowd import base
from collection.crowd.base import Arrival, Ending, Event, Requirement, StudyFacts
from collection.crowd.events import signed_event
from collection.crowd.signing import is_same, link_signature, wrong_signature
from winoplatform.errors import DomainError

RETURN_TO_CHARACTERS = 500
APPROVALS_MAX = 2**31 - 1
PARAMETER = "link parameter "


class Generic(base.Provider):
    """The signature covers all other parameters of the link; unsigned ones are not read."""

    name = "generic"
    signs_arrivals = True

    def read(self, study: StudyFacts, query: Mapping[str, str], now: int) -> Arrival:
        signed = {name: value for name, value in query.items() if name != "signature"}
        expected = link_signature(study.secret, study.id, signed)
        if not is_same(query.get("signature", ""), expected):
            raise wrong_signature("link")
        _refuse_expired(signed, now)
        return Arrival(
            participant=base.identifier(signed, "participant"),
            session=base.identifier(signed, "session"),
            approvals=_approvals(signed),
            approval_rate=_approval_rate(signed),
            return_to=_return_to(signed, study),
        )

    def ending(self, study: StudyFacts, *, session: str, code: str, return_to: str) -> Ending:
        address = return_to or study.return_url
        return Ending(code=code, url=base.filled(address, code=code, session=session))

    def event(
        self, study: StudyFacts, headers: Mapping[str, str], body: bytes, now: int
    ) -> Event | None:
        names = {report.value: report for report in Report}
        return signed_event(study, headers, body, now, names=names)

    def link_query(self, study: StudyFacts, asked: tuple[Requirement, ...]) -> str:
        names = [
            "participant",
            "session",
            "expires",
            *(each.name.removeprefix(PARAMETER) for each in asked),
        ]
        return "&".join(f"{name}=…" for name in [*names, "signature"])

    def requirements(self, approvals: int | None, rate: Decimal | None) -> tuple[Requirement, ...]:
        least = {} if approvals is None else {"approvals": str(approvals)}
        least |= {} if rate is None else {"approval_rate": f"{rate.normalize():f}"}
        return tuple(
            Requirement(PARAMETER + name, f"at least {value}") for name, value in least.items()
        )


def signed_link(study: StudyFacts, *, origin: str, fields: Mapping[str, str]) -> str:
    """Return one participant's link; *fields* are its parameters, including ``expires``."""
    signature = link_signature(study.secret, study.id, fields)
    return base.arrive_address(origin, study.id, urlencode({**fields, "signature": signature}))


def _refuse_expired(query: Mapping[str, str], now: int) -> None:
    expires = query.get("expires", "")
    if not (expires.isascii() and expires.isdigit() and len(expires) < 13):
        raise _unreadable("expires", "seconds since 1970")
    if int(expires) < now:
        raise DomainError(
            "link_expired",
            "The time of this link is over. Start the task again from the platform to get a new "
            "one; what you have written is kept.",
            status=410,
        )


def _approvals(query: Mapping[str, str]) -> int | None:
    value = query.get("approvals")
    if value is None:
        return None
    if not (value.isascii() and value.isdigit() and len(value) < 11):
        raise _unreadable("approvals", "a whole number")
    return min(int(value), APPROVALS_MAX)


def _approval_rate(query: Mapping[str, str]) -> Decimal | None:
    value = query.get("approval_rate")
    if value is None:
        return None
    try:
        rate = Decimal(value)
    except InvalidOperation:
        rate = Decimal(-1)
    if not (value.isascii() and rate.is_finite() and 0 <= rate <= 1):
        raise _unreadable("approval_rate", "a share from 0 to 1")
    # Truncated, not rounded: 0.9499 must not become the 0.95 that a campaign may require.
    return Decimal(int(rate * 1000)) / 1000


def _return_to(query: Mapping[str, str], study: StudyFacts) -> str:
    address = query.get("return_to", "")
    if not address:
        return ""
    if len(address) > RETURN_TO_CHARACTERS or not base.is_web_address(
        address, sandbox=study.sandbox
    ):
        raise _unreadable("return_to", "an https:// address of 500 characters at most")
    return address


def _unreadable(name: str, wanted: str) -> DomainError:
    return DomainError(
        "link_incomplete",
        f"The link's “{name}” must be {wanted}. Contact the people who run the study.",
    )
