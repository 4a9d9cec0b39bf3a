"""Optional questions about people, and the counts of answers that may be published.

An answer is not to be learned from counts, by whoever sees all of them and knows when each person
joined. So people are counted in groups, each person once and in one group (`is_due`), and of each
group only `published` numbers are added to those that are out: what changes between two of them is
about a whole group, and the same for other answers of any one in it. Decision 0160 has what this
does not protect from.
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
class QuestionText:
    """A question with its options; with *many*, a person may choose several."""

    text: str
    options: tuple[str, ...]
    many: bool = False


STANDARD: dict[str, QuestionText] = {
    "first_languages": QuestionText("Which languages did you grow up with?", LANGUAGES, many=True),
    "other_languages": QuestionText("Which other languages do you use?", LANGUAGES, many=True),
    "years": QuestionText(
        "For how many years have you used the language of the sentences?",
        ("less than 5", "5 to 9", "10 to 19", "20 or more", "all my life"),
    ),
    "age": QuestionText(
        "How old are you?",
        ("18 to 24", "25 to 34", "35 to 44", "45 to 54", "55 to 64", "65 or older"),
    ),
    "education": QuestionText(
        "What is your highest degree?",
        ("no degree", "secondary school", "vocational", "bachelor", "master", "doctorate"),
    ),
    "region": QuestionText(
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
    "gender": QuestionText(
        "What is your gender?", ("woman", "man", "non-binary", "another gender")
    ),
}
"""The questions that a campaign can choose from, by code."""


def is_due(n_people: int, *, least: int) -> bool:
    """Return whether so many people, not counted before, are enough for a group of their own."""
    return n_people >= 2 * least


def published(
    counts: Sequence[int], *, people: int, least: int, many: bool = False
) -> tuple[int, ...]:
    """Return what may be published of a group of people, for the same options.

    Parameters
    ----------
    counts
        People by option.
    people
        All people of the group, also those who did not answer this question.
    least
        The least number of people that may be told of, 2 or more.
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
