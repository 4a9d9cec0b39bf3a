"""What a copy of a release consists of, and what its documents say beside the release's own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

import yaml

from corpora.core.bundle import front_matter, layout
from corpora.core.bundle.wording import markdown, one_line, yaml_text
from corpora.core.notices import ERRATUM, RETRACTION

AMENDED = (layout.README, layout.CITATION)
"""The documents in which a copy names its DOI and its notices."""
MOST_BYTES = 16 << 20
"""Of a document that is amended; a larger one is refused."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A retraction or an erratum of a release that stands, or stood, at a place.

    Parameters
    ----------
    kind : 'retraction' or 'erratum'
    release, version : str
    at : str
        ISO 8601 date.
    text : str
        The reason, or what is wrong.
    """

    kind: str
    release: str
    version: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Amendment:
    """What a copy says that its release's files do not.

    Parameters
    ----------
    doi : str
        Empty if there is none yet.
    notices : tuple of Notice
        Oldest first.
    """

    doi: str = ""
    notices: tuple[Notice, ...] = ()

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Amendment":
        """Read what ``dataclasses.asdict`` gave."""
        return cls(stored["doi"], tuple(Notice(**notice) for notice in stored["notices"]))


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One file that is sent.

    Parameters
    ----------
    name : str
    size : int
        Bytes.
    sha256 : str
        Hexadecimal.
    open : callable
        Returns a binary, seekable, buffered file.
    """

    name: str
    size: int
    sha256: str
    open: Callable[[], IO[bytes]] = field(compare=False, repr=False)

    @property
    def facts(self) -> dict[str, Any]:
        return {"name": self.name, "size": self.size, "sha256": self.sha256}


def refuse_blind(names: Sequence[str]) -> None:
    """Raise ValueError if a file is one that only members may read, whatever its row says."""
    blind = [name for name in names if not layout.is_public(name)]
    if blind:
        raise ValueError(f"files must be public, got {', '.join(sorted(blind))}")


def document_of_copy(name: str, text: str, told: Amendment, *, release: str) -> str:
    """Return a document of a copy of *release*; its own text if there is nothing to tell."""
    if not told.doi and not told.notices:
        return text
    if name == layout.README:
        return _card(text, told, release)
    return _citation(text, told, release)


def _card(text: str, told: Amendment, release: str) -> str:
    """Put what is told between the front matter and the title."""
    head, body = front_matter.split(text)
    said = [_notice(notice, release) for notice in told.notices]
    if told.doi:
        said.append(f"DOI: [{told.doi}](https://doi.org/{told.doi})")
    said.append(
        "In this copy, README.md and CITATION.cff say this beside what those of the release say; "
        "`SHA256SUMS` has the sums of the release’s own."
    )
    return head + "\n" + "\n\n".join(f"> {one}" for one in said) + "\n" + body


def _notice(notice: Notice, release: str) -> str:
    which = "This version" if notice.release == release else "An earlier version"
    version = markdown(notice.version)
    said = {
        RETRACTION: f"{which}, {version}, was retracted on {notice.at}.",
        ERRATUM: f"{which}, {version}, has an erratum of {notice.at}.",
    }[notice.kind]
    return f"**{said}** {markdown(one_line(notice.text))}"


def _citation(text: str, told: Amendment, release: str) -> str:
    about: dict[str, Any] = yaml.safe_load(text)
    if told.doi:
        about["doi"] = told.doi
    for notice in told.notices:
        if notice.kind == RETRACTION and notice.release == release:
            about["message"] = f"This version was retracted: {one_line(notice.text)}"
    return yaml_text(about)
