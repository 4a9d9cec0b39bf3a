"""Optional questions about people, and the counts of answers that may be published.

An answer is not to be learned from counts, by whoever sees all of them and knows when each person
joined. So counts are published in editions (`is_due`): between two of them at least the least
group of people has answered. Within one, they are multiples of that group and leave at least as
many people in "other or not told" (`published`). Answers that are taken back leave the counts only
together (`remain_counted`). Decision 0161 has what this does not protect from.
"""

from collections.abc import Sequence
from dataclasses import dataclass

LEAST_GROUP = 5
LANGUAGES = (
    "Arabic", "Bengali", "Chinese", "Czech", "Dutch", "English", "French", "German", "Greek",
    "Hebrew", "Hindi", "Hungarian", "Indonesian", "Italian", "Japanese", "Korean", "Persian",
    "Polish", "Portuguese", "Romanian", "Russian", "Spanish", "Swahili", "Swedish", "Tamil",
    "Telugu", "Thai", "Turkish", "Ukrainian", "Urdu", "Vietnamese", "another language",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its options; with *many*, a person may choose several."""

    text: str
    options: tuple[str, ...]
    many: bool = False


STANDARD: dict[str, Asked] = {
    "first_languages": Asked("Which languages did you grow up with?", LANGUAGES, many=True),
    "other_languages": Asked("Which other languages do you use?", LANGUAGES, many=True),
    "years": Asked(
        "For how many years have you used the language of the sentences?",
        ("less than 5", "5 to 9", "10 to 19", "20 or more", "all my life"),
    ),
    "age": Asked(
        "How old are you?",
        ("18 to 24", "25 to 34", "35 to 44", "45 to 54", "55 to 64", "65 or older"),
    ),
    "education": Asked(
        "What is your highest degree?",
        ("no degree", "secondary school", "vocational", "bachelor", "master", "doctorate"),
    ),
    "region": Asked(
        "Where do you live?",
        (
            "Africa",
            "Central and South Asia",
            "East and Southeast Asia",
            "Europe",
            "Latin America and the Caribbean",
            "North America",
            "Oceania",
            "Western Asia",
        ),
    ),
    "gender": Asked("What is your gender?", ("woman", "man", "non-binary", "another gender")),
}
"""The questions that a campaign can choose from, by code."""


def is_due(n_answered: int, *, least: int) -> bool:
    """Return whether enough people have answered since the last edition for another one."""
    return n_answered >= least


def remain_counted(n_removed: int, *, least: int) -> bool:
    """Return whether answers taken back by so many people are still counted.

    Fewer than the least group would be seen to leave, and whoever left at that time would be known
    by what they told.
    """
    return n_removed < least


def published(
    counts: Sequence[int], *, people: int, least: int, many: bool = False
) -> tuple[int, ...]:
    """Return the counts that may be published, for the same options.

    Parameters
    ----------
    counts
        People by option.
    people
        All people who were asked, also those who told nothing.
    least
        The least group, 2 or more.
    many
        Whether people could choose several options: then each stands for itself.

    Returns
    -------
    Multiples of *least*, none above its count. At least *least* people are in none of them.

    >>> published([12, 4, 7], people=30, least=5)
    (10, 0, 5)
    >>> published([10, 0], people=10, least=5)
    (5, 0)
    """
    shown = [count // least * least for count in counts]
    if many:
        most = max(0, people - least) // least * least
        return tuple(min(count, most) for count in shown)
    while any(shown) and people - sum(shown) < least:
        largest = max(range(len(shown)), key=lambda place: (shown[place], -place))
        shown[largest] -= least
    return tuple(shown)
