"""The people behind figures, and the origin of their texts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

Account = tuple[str, str]
"""The origin and the platform of an account; each is empty where its creation does not tell."""
DEMONSTRATION = "(demonstration)"


class PeopleOrigin(StrEnum):
    """Where people come from, in the order in which it is said."""

    SIMULATED = "simulated"
    INVITED = "invited"
    CROWD = "crowd"
    IMPORTED = "imported"
    NOT_STATED = "not_stated"


_MARKS = {
    PeopleOrigin.SIMULATED: "simulated people",
    PeopleOrigin.INVITED: "invited people",
    PeopleOrigin.CROWD: "crowd workers",
    PeopleOrigin.IMPORTED: "imported work",
    PeopleOrigin.NOT_STATED: "people not stated",
}
_SENTENCES = {
    PeopleOrigin.SIMULATED: "The people who did {part} are simulated: a program submitted texts "
    "and drew answers. Figures about them, such as agreement, accuracy, time and pay, show how the "
    "platform works and say nothing about people.",
    PeopleOrigin.INVITED: "The people who did {part} were invited: each got a link from the "
    "curators. Figures about them need not hold for other people.",
    PeopleOrigin.CROWD: "The people who did {part} are crowd workers{where}. Figures about them "
    "need not hold for other platforms, or for people who were recruited in another way.",
    PeopleOrigin.IMPORTED: "People did {part} elsewhere, and it was imported: nothing is known "
    "about them here.",
    PeopleOrigin.NOT_STATED: "It is not stated who did {part}.",
}
# Of Hugging Face's values of the tags annotations_creators and language_creators. Who was invited
# need not be an expert.
_CREATORS = {
    PeopleOrigin.SIMULATED: "machine-generated",
    PeopleOrigin.INVITED: "other",
    PeopleOrigin.CROWD: "crowdsourced",
    PeopleOrigin.IMPORTED: "found",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Who did some work.

    Parameters
    ----------
    origins : tuple of str
        Of all people together, each value of `PeopleOrigin` once, in their order; empty if nobody
        has worked.
    platforms : tuple of str
        Names of crowd platforms, as far as they are known.
    writers, validators : tuple of str
        As ``origins``, by kind of work; empty where it is not told apart.
    """

    origins: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()
    writers: tuple[str, ...] = ()
    validators: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("origins", "writers", "validators"):
            value = getattr(self, name)
            if list(value) != [origin.value for origin in PeopleOrigin if origin in value]:
                raise ValueError(f"{name} must be known origins in order, got {list(value)}")
        if not {*self.writers, *self.validators} <= {*self.origins}:
            raise ValueError(f"origins must include those of writers and validators, got {self}")
        if self.platforms and PeopleOrigin.CROWD not in self.origins:
            raise ValueError(f"platforms must be of crowd workers, got {list(self.platforms)}")

    @property
    def is_simulated(self) -> bool:
        """Whether a part of the work, or all of it, is simulated."""
        return PeopleOrigin.SIMULATED in self.origins


def people_of(
    *,
    writers: Iterable[Account] = (),
    validators: Iterable[Account] = (),
    others: Iterable[Account] = (),
    chosen: Account = ("", ""),
) -> People:
    """Return who did some work, from the accounts that did it.

    Parameters
    ----------
    writers, validators, others : iterable of (str, str)
        Origin and platform of the accounts; an account may repeat.
    chosen : (str, str)
        What the campaign's curators state. It holds for accounts that do not tell; and once they
        say "simulated", that is said of the whole work.

    Examples
    --------
    >>> people_of(writers=[("", "")], validators=[("crowd", "Prolific")], chosen=("invited", ""))
    People(origins=('invited', 'crowd'), platforms=('Prolific',), writers=('invited',), \
validators=('crowd',))
    """
    parts = [[resolved(who, chosen) for who in part] for part in (writers, validators, others)]
    resolved_parts = [person for part in parts for person in part]
    is_simulated = resolved_parts and chosen[0] == PeopleOrigin.SIMULATED
    return People(
        origins=_origins(resolved_parts + ([chosen] if is_simulated else [])),
        platforms=tuple(sorted({platform for _, platform in resolved_parts if platform})),
        writers=_origins(parts[0]),
        validators=_origins(parts[1]),
    )


def people_from(facts: Mapping[str, Iterable[str]]) -> People:
    """Return the people of a manifest's key ``people``; ValueError if it is not one."""
    return People(**{name: tuple(values) for name, values in facts.items()})


def accounts_in(people: People) -> list[Account]:
    """Return accounts that stand for some people, to be counted with others by `people_of`.

    >>> accounts_in(People(origins=("invited", "crowd"), platforms=("Prolific",)))
    [('invited', ''), ('crowd', 'Prolific')]
    """
    pairs = [(origin, "") for origin in people.origins if origin != PeopleOrigin.CROWD]
    crowd = PeopleOrigin.CROWD.value
    if crowd in people.origins:
        pairs += [(crowd, platform) for platform in people.platforms or ("",)]
    return pairs


def resolved(account: Account, chosen: Account) -> Account:
    """Return the origin of an account, from the campaign's statement where it tells none.

    >>> resolved(("", ""), ("crowd", "Toloka")), resolved(("invited", ""), ("crowd", "Toloka"))
    (('crowd', 'Toloka'), ('invited', ''))
    """
    origin = account[0] or chosen[0] or PeopleOrigin.NOT_STATED.value
    is_crowd = origin == PeopleOrigin.CROWD
    return origin, (account[1] or chosen[1]) if is_crowd else ""


def marks(people: People, say: Callable[[str], str] = str) -> list[str]:
    """Return the short names of the origins, in order; *say* translates.

    >>> marks(People(origins=("simulated", "crowd"), platforms=("Prolific",)))
    ['simulated people', 'crowd workers (Prolific)']
    """
    signs = []
    for origin in people.origins:
        named = origin == PeopleOrigin.CROWD and people.platforms
        more = f" ({', '.join(people.platforms)})" if named else ""
        signs.append(say(_MARKS[PeopleOrigin(origin)]) + more)
    return signs


def sentences(people: People, say: Callable[[str], str] = str) -> list[str]:
    """Return what is said of the people beside figures about them; of nobody, nothing.

    >>> sentences(People(origins=("not_stated",)))
    ['It is not stated who did this work.']
    """
    part = say("this work" if len(people.origins) == 1 else "a part of this work")
    where = f" ({', '.join(people.platforms)})" if people.platforms else ""
    return [
        say(_SENTENCES[PeopleOrigin(origin)]).format(part=part, where=where)
        for origin in people.origins
    ]


def creators(origins: Iterable[str]) -> list[str]:
    """Return the values of Hugging Face's tags ``annotations_creators`` and ``language_creators``.

    Source: ``creators.json`` of the Hub's tagging application.

    >>> creators(["simulated", "crowd", "not_stated"])
    ['machine-generated', 'crowdsourced']
    """
    creator_origins = {PeopleOrigin(origin) for origin in origins} & _CREATORS.keys()
    return [_CREATORS[origin] for origin in PeopleOrigin if origin in creator_origins]


def title_of(title: str, people: People, *, longest: int = 200) -> str:
    """Return the title of a release, which says that it is a demonstration if it is one.

    >>> simulated = People(origins=("simulated",))
    >>> title_of("Kitchen schemas", simulated), title_of("A (demonstration)", simulated)
    ('Kitchen schemas (demonstration)', 'A (demonstration)')
    """
    if not people.is_simulated or title.endswith(DEMONSTRATION):
        return title
    return f"{title[: longest - len(DEMONSTRATION) - 1]} {DEMONSTRATION}".strip()


def _origins(accounts: Iterable[Account]) -> tuple[str, ...]:
    there = {origin for origin, _ in accounts}
    return tuple(origin.value for origin in PeopleOrigin if origin in there)


PASTED_FROM = 2 / 3
"""The share of pasted characters from which a twin counts as pasted.

Writers often type one sentence and copy it for the other: then up to a half is pasted. Only text
from elsewhere exceeds two thirds.
"""


FASTEST = 20
"""Characters per second beyond any typist: the fastest on record reach about 18."""


class Origin(StrEnum):
    """The origin of a twin's text, as counted by the page."""

    TYPED = "typed"
    PASTED = "pasted"
    UNKNOWN = "unknown"


def origin_flag(
    *,
    typed_characters: int,
    pasted_characters: int,
    largest_insert: int = 0,
    active_seconds: int | None = None,
) -> Origin:
    """Return whether a twin's text was typed here or pasted.

    Parameters
    ----------
    typed_characters, pasted_characters : int
        As the page counted them.
    largest_insert : int
        The longest run of characters inserted at once, pasted or not: text inserted without the
        clipboard is visible only here.
    active_seconds : int, optional
        The time spent on it, if counted: text faster than any typist was not typed.

    Returns
    -------
    Origin
        ``unknown`` if nothing was counted, as for twins of programs and imports.

    >>> origin_flag(typed_characters=220, pasted_characters=110).value
    'typed'
    >>> origin_flag(typed_characters=20, pasted_characters=210).value
    'pasted'
    >>> origin_flag(typed_characters=220, pasted_characters=0, active_seconds=0).value
    'pasted'
    >>> origin_flag(typed_characters=0, pasted_characters=0).value
    'unknown'
    """
    at_once = max(pasted_characters, largest_insert)
    counted = typed_characters + at_once
    if not counted:
        return Origin.UNKNOWN
    is_too_fast = active_seconds is not None and typed_characters > FASTEST * (active_seconds + 1)
    if is_too_fast or at_once >= PASTED_FROM * counted:
        return Origin.PASTED
    return Origin.TYPED


def pasted_share(typed_characters: int, pasted_characters: int) -> float | None:
    """Return the share of a text's characters that were pasted; None if none were counted.

    >>> pasted_share(30, 10)
    0.25
    """
    counted = typed_characters + pasted_characters
    return pasted_characters / counted if counted else None
