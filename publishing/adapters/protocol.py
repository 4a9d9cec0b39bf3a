"""What the steps of a publication ask of a target, each of which may be repeated."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from publishing.core.copies import Amendment, Outgoing
from winoplatform.errors import DomainError

Place = dict[str, Any]
"""What `Adapter.open` found or made, as JSON: later steps and attempts get it again."""
LONGEST_MESSAGE = 300


class Away(Exception):
    """The target did not answer, or asks to wait; the step can be repeated.

    Parameters
    ----------
    what
        The end of a sentence that begins with the target's name.
    wait
        Seconds that the target asks for; None if it names none.
    """

    def __init__(self, what: str, *, wait: float | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.wait = wait


class Refused(DomainError):
    """The target refuses, and would refuse again."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message, status=409)


@dataclass(frozen=True, slots=True)
class Described:
    """What an adapter tells the target of a release.

    Parameters
    ----------
    name, version : str
    content_hash : str
        Hexadecimal SHA-256.
    manifest : mapping
        As ``manifest.json``.
    told : Amendment
    earlier : str
        The record of the campaign's release before; empty if there is none.
    own : str
        The record of this release, if it was published there before.
    known : collection of str
        Names of files at the place that the campaign may have sent.
    """

    name: str
    version: str
    content_hash: str
    manifest: Mapping[str, Any]
    told: Amendment
    earlier: str = ""
    own: str = ""
    known: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Closed:
    """Where the finished copy stands."""

    address: str
    revision: str
    visibility: str
    doi: str = ""


class Adapter(Protocol):
    """A target: each method finds first what an earlier call has done, and does the rest.

    Raises
    ------
    Away
        When the call can be repeated.
    Refused
        When it cannot.
    """

    title: str

    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...

    def open(self, about: Described, files: Sequence[Outgoing]) -> Place:
        """Find or make the place; its ``doi`` is the one that the copy will have."""
        ...

    def send(self, place: Place, file: Outgoing) -> None:
        """Send one file; it is not visible yet."""
        ...

    def visible(self, place: Place, files: Sequence[Outgoing]) -> Closed | None:
        """Return where the copy stands, if it is visible with these files; else None."""
        ...

    def close(self, about: Described, place: Place, files: Sequence[Outgoing]) -> Closed:
        """Make all files visible at once."""
        ...


def shortened(message: object, token: str) -> str:
    """Return the start of a target's message as one line, without the token."""
    # The token first: cut, a part of it would stay.
    text = str(message).replace(token, "…") if token else str(message)
    return " ".join(text.split())[:LONGEST_MESSAGE].rstrip(". ")
