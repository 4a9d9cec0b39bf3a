"""Where a copy of a release is sent: a repository of the Hub, or Zenodo."""

import re
from dataclasses import dataclass

HUB, ZENODO = TARGETS = ("hub", "zenodo")
_PART = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9])?"
_REPOSITORY = re.compile(rf"{_PART}/{_PART}")
LONGEST = 193


@dataclass(frozen=True, slots=True)
class Place:
    """A target, and its repository ``organisation/name``; empty for Zenodo."""

    target: str
    repository: str = ""

    def __str__(self) -> str:
        return f"{self.target}:{self.repository}" if self.repository else self.target


def place_from(text: str) -> Place:
    """Read ``hub:organisation/name`` or ``zenodo``.

    Raises
    ------
    ValueError
        When it is neither, or the name is none that the Hub allows.

    Examples
    --------
    >>> place_from("hub:our-group/twins"), place_from("zenodo")
    (Place(target='hub', repository='our-group/twins'), Place(target='zenodo', repository=''))
    """
    target, separator, repository = text.partition(":")
    if target == ZENODO and not separator:
        return Place(ZENODO)
    allowed = len(repository) <= LONGEST and _REPOSITORY.fullmatch(repository)
    if target != HUB or not allowed or "--" in repository or ".." in repository:
        raise ValueError(
            f"Name the place as hub:organisation/name or zenodo, got {text[:LONGEST]!r}."
        )
    if repository.endswith(".git"):
        raise ValueError(f"A repository's name does not end with .git, got {repository!r}.")
    return Place(HUB, repository)
