"""Twins of the benchmark of clues: sentences of its own, with labels that are fair coins."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from corpora.core.items import Item
from corpora.core.leaks.files import PublishedFile


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
LEADS = (
    "After the long meeting",
    "Before the storm came",
    "During the spring festival",
    "On the way to the harbour",
    "While the band was playing",
    "Late on a cold evening",
    "In the corner of the workshop",
    "Shortly before the match",
    "At the end of the tour",
    "Once the guests had gone",
    "Near the old stone bridge",
    "In front of the bakery",
    "Between two lessons",
    "Under the open window",
    "Since the road was closed",
    "For the school exhibition",
)
THINGS = words("""
lamp basket kettle ladder blanket drum bucket mirror carpet violin hammer pillow bottle
wagon curtain helmet tractor barrel candle jacket shovel engine pencil cabinet
""")
NAMES = words("""
Lena Maria Helga Ruth Carla Nadia Petra Sofia Ines Tilda Greta Bianca Dora Wanda Flora
Yasmin
""")
MOVES = (
    "stood beside",
    "was put on",
    "fell against",
    "was swapped for",
    "rolled towards",
    "was tied to",
    "hid",
    "was kept behind",
)
DEEDS = ("thanked", "called", "followed", "warned", "helped", "met", "visited", "praised")
LINKS = ("because", "but", "so", "although", "and", "while")
TRIGGERS = (
    ("heavy", "light"),
    ("large", "small"),
    ("early", "late"),
    ("dry", "damp"),
    ("loud", "quiet"),
    ("clean", "dusty"),
    ("weak", "strong"),
    ("narrow", "wide"),
    ("calm", "nervous"),
    ("old", "new"),
    ("warm", "chilly"),
    ("cheap", "costly"),
    ("soft", "hard"),
    ("full", "empty"),
    ("near", "distant"),
    ("sharp", "blunt"),
    ("quick", "slow"),
    ("bright", "gloomy"),
    ("smooth", "rough"),
    ("steady", "shaky"),
    ("thick", "thin"),
    ("rich", "poor"),
    ("tall", "short"),
    ("tidy", "messy"),
)
TAILS = (
    "on that day",
    "in the end",
    "for the others",
    "in every way",
    "at the time",
    "as usual",
    "to all of them",
    "in that place",
    "for once",
    "by then",
    "from the start",
    "in this case",
)


@dataclass(frozen=True, slots=True)
class Row:
    """A question: what is published of it, and which option is right."""

    sentence: str
    options: tuple[str, str]
    answer: int

    @property
    def right(self) -> str:
        return self.options[self.answer - 1]

    @property
    def wrong(self) -> str:
        return self.options[2 - self.answer]


Pair = tuple[Row, Row]


def pair(rng: Random, *, things: bool | None = None) -> Pair:
    """Return twins that differ in one word.

    Parameters
    ----------
    things : bool, optional
        Whether the options are things and not people; drawn if it is not given.
    """
    if things is None:
        things = rng.random() < 0.5
    options = rng.sample(THINGS if things else NAMES, 2)
    one, two = (f"the {option}" if things else option for option in options)
    verb, blank = rng.choice(MOVES if things else DEEDS), "the _" if things else "_"
    start = f"{rng.choice(LEADS)}, {one} {verb} {two} {rng.choice(LINKS)} {blank} was"
    triggers, tail = rng.sample(rng.choice(TRIGGERS), 2), rng.choice(TAILS)
    listed = rng.sample(options, 2)
    answer = rng.choice((1, 2))
    first, second = (f"{start} {trigger} {tail}." for trigger in triggers)
    return (
        Row(first, (listed[0], listed[1]), answer),
        Row(second, (listed[0], listed[1]), 3 - answer),
    )


def items_of(groups: list[tuple[Row, ...]]) -> list[Item]:
    """Return pairs and unpaired questions as the search for artifacts reads them."""
    return [
        Item(
            id=f"{g}-{r}",
            group=str(g),
            sentence=row.sentence,
            options=row.options,
            answer=row.answer,
        )
        for g, rows in enumerate(groups)
        for r, row in enumerate(rows)
    ]


def file_of(groups: list[tuple[Row, ...]], rng: Random) -> PublishedFile:
    """Return them as a published file, with random ids."""
    rows = []
    for group in groups:
        base = "".join(rng.choices(LETTERS, k=30))
        for row, ending in zip(group, rng.sample("12", len(group)), strict=True):
            shown = {"qID": f"{base}-{ending}", "sentence": row.sentence}
            shown |= {"option1": row.options[0], "option2": row.options[1]}
            rows.append((shown, row.answer))
    rows.sort(key=lambda one: one[0]["qID"])
    return PublishedFile(
        "dev.jsonl", [shown for shown, _ in rows], [answer for _, answer in rows], len(rows)
    )
