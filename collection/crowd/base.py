"""The common interface of the adapters of crowd platforms."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import quote, urlencode, urlsplit

from collection.core.session_reports import Report
from collection.crowd.signing import is_same, link_key, wrong_signature
from winoplatform.errors import DomainError

ID_CHARACTERS = 120
PREVIEW = "preview"


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFacts:
    """The facts of a study that an adapter needs.

    ``sandbox`` is the origin of a fake platform on this machine, or empty.
    """

    id: str
    secret: str
    event_secret: str = ""
    return_url: str = ""
    sandbox: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """The arrival of a participant from a platform; a preview has no participant.

    ``approvals`` and ``approval_rate`` (0 to 1) are None if the link does not contain them under a
    signature.
    """

    participant: str = ""
    session: str = ""
    is_preview: bool = False
    approvals: int | None = None
    approval_rate: Decimal | None = None
    return_to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a session returns to its platform: a code, an address to open, or a form to post."""

    code: str = ""
    url: str = ""
    form_action: str = ""
    form_fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What a platform reports about a session; ``participant`` may be unknown.

    ``sent_at`` is the time of its signature, in seconds since 1970.
    """

    session: str
    report: Report
    sent_at: int
    participant: str = ""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A setting of the platform for the selection of participants, in the platform's terms."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The settings that a curator enters on the platform.

    Parameters
    ----------
    link : str
        The study's address, with the platform's placeholders.
    preview : str
        Shows the task without an account.
    completion : str
        Address at the end of a session; {code} and {session} are filled in.
    events : str
        Address for the platform's signed events.
    requirements : tuple of Requirement
        Required approval history, which the platform itself must check.
    """

    link: str
    preview: str
    completion: str
    events: str
    requirements: tuple[Requirement, ...] = ()


class Provider(ABC):
    """One crowd platform.

    ``signs_arrivals``: whether a signature proves the participant's id; if not, the study's key in
    the link proves only that the participant has the link.
    ``renews_sessions``: whether a participant who returns a task and takes it again has a new
    session id.
    """

    name: str
    signs_arrivals: bool = False
    renews_sessions: bool = False
    frame_ancestors: tuple[str, ...] = ()

    def arrival(self, study: StudyFacts, query: Mapping[str, str], now: int) -> Arrival:
        """Read an arrival from the parameters of its link.

        Parameters
        ----------
        query
            Each parameter once; a link that repeats one is refused before.
        now
            Seconds since 1970.

        Raises
        ------
        DomainError
            ``signature_wrong``, ``link_incomplete`` or ``link_expired``.
        """
        if query.get(PREVIEW) == "1":
            refuse_without_key(study, query)
            return Arrival(is_preview=True)
        return self.read(study, query, now)

    @abstractmethod
    def read(self, study: StudyFacts, query: Mapping[str, str], now: int) -> Arrival:
        """Read an arrival that is not a preview with our own link; see `arrival`."""

    @abstractmethod
    def ending(self, study: StudyFacts, *, session: str, code: str, return_to: str) -> Ending:
        """Return how a session with this completion *code* ends."""

    @abstractmethod
    def event(
        self, study: StudyFacts, headers: Mapping[str, str], body: bytes, now: int
    ) -> Event | None:
        """Verify an event and return it; None for an event without effect here.

        Raises
        ------
        DomainError
            ``signature_wrong``, ``event_outdated``, ``event_malformed`` or ``events_not_set_up``.
        """

    def setup(
        self,
        study: StudyFacts,
        *,
        origin: str,
        min_approvals: int | None,
        min_approval_rate: Decimal | None,
    ) -> Setup:
        """Return what a curator sets on the platform; *origin* is our own address."""
        requirements = self.requirements(min_approvals, min_approval_rate)
        return Setup(
            link=arrive_address(origin, study.id, self.link_query(study, requirements)),
            preview=preview_address(origin, study),
            completion=self.completion(study),
            events=f"{origin}/api/v1/studies/{study.id}/events/",
            requirements=requirements,
        )

    @abstractmethod
    def link_query(self, study: StudyFacts, asked: tuple[Requirement, ...]) -> str:
        """Return the parameters of the study's link, with the platform's placeholders."""

    def completion(self, study: StudyFacts) -> str:
        """Return where a session ends; empty where a form is posted."""
        return study.return_url

    @abstractmethod
    def requirements(self, approvals: int | None, rate: Decimal | None) -> tuple[Requirement, ...]:
        """Return what the platform has to ask for; *rate* is from 0 to 1."""


def refuse_without_key(study: StudyFacts, query: Mapping[str, str]) -> None:
    if not is_same(query.get("key", ""), link_key(study.secret, study.id)):
        raise wrong_signature("link")


def identifier(query: Mapping[str, str], name: str) -> str:
    """Return an id from the link, or refuse one that cannot be stored or read."""
    value = query.get(name, "").strip()
    if not value or len(value) > ID_CHARACTERS or not value.isprintable():
        raise DomainError(
            "link_incomplete",
            f"The link lacks a usable “{name}”, which the platform fills in. Start the task again "
            "from the platform; if it happens again, contact the people who run the study.",
        )
    return value


def arrive_address(origin: str, study: str, query: str) -> str:
    return f"{origin}/arrive/{study}/?{query}"


def preview_address(origin: str, study: StudyFacts) -> str:
    query = urlencode({"key": link_key(study.secret, study.id), PREVIEW: "1"})
    return arrive_address(origin, study.id, query)


def filled(address: str, *, code: str, session: str) -> str:
    """Fill in ``{code}`` and ``{session}`` of an address; the rest stays unchanged."""
    return address.replace("{code}", quote(code, safe="")).replace(
        "{session}", quote(session, safe="")
    )


def is_web_address(address: str, *, sandbox: str = "") -> bool:
    """Return whether an address is HTTPS with a host and no credentials, or in the sandbox."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    if sandbox and origin_of(address) == sandbox:
        return True
    plain = address.isprintable() and " " not in address and "\\" not in address
    return plain and parts.scheme == "https" and bool(parts.hostname) and "@" not in parts.netloc


def origin_of(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
