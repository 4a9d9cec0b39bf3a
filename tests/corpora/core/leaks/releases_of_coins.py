"""Small releases whose labels are fair coins, with leaks planted on request."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from corpora.core.leaks.files import PublishedFile

WORDS = ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "yew"]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


@dataclass(frozen=True)
class Row:
    """A published question of a release that is being made."""

    qid: str
    sentence: str
    options: tuple[str, str]
    answer: int
    domain: str = "social"

    @property
    def published(self) -> dict[str, str]:
        first, second = self.options
        return {
            "qID": self.qid,
            "sentence": self.sentence,
            "option1": first,
            "option2": second,
            "domain": self.domain,
        }


Rows = list[Row]
Plant = Callable[[Rows, random.Random], Rows]


def texts(pairs: int, unpaired: int, *, seed: int) -> list[list[tuple[str, tuple[str, str], str]]]:
    """Make the sentences of twins: of each (sentence, options, right option)."""
    rng = random.Random(f"texts {seed}")
    return [_twins(number, 2 if number < pairs else 1, rng) for number in range(pairs + unpaired)]


def _twins(number: int, size: int, rng: random.Random) -> list[tuple[str, tuple[str, str], str]]:
    first, second = rng.sample(WORDS, 2)
    start = f"{first} and {second} met on day {number} {' '.join(rng.choices(WORDS, k=6))}, but _"
    ends = rng.sample(WORDS, size)
    rights = rng.sample([first, second], size)
    return [
        (f"{start} {end}.", (first, second), right) for end, right in zip(ends, rights, strict=True)
    ]


def published(twins: Sequence[Sequence[tuple[str, tuple[str, str], str]]], *, seed: int) -> Rows:
    """Publish twins as the platform does, with an id and a coin for the options of each twin."""
    rng = random.Random(f"release {seed}")
    rows = []
    for questions in twins:
        base, swap = "".join(rng.choices(LETTERS, k=30)), rng.random() < 0.5
        domain = rng.choice(["social", "physical"])
        endings = rng.sample("12", len(questions))
        for (sentence, options, right), ending in zip(questions, endings, strict=True):
            shown = options[::-1] if swap else options
            answer = 1 + shown.index(right)
            rows.append(Row(f"{base}-{ending}", sentence, shown, answer, domain))
    return sorted(rows, key=lambda row: row.qid)


def clean(pairs: int = 300, unpaired: int = 100, *, seed: int) -> Rows:
    """Return a release without leaks."""
    return published(texts(pairs, unpaired, seed=seed), seed=seed)


def file_of(
    rows: Rows, name: str = "dev.jsonl", *, size: int = 0, sha256: str = ""
) -> PublishedFile:
    """Return a file of rows."""
    shown = [row.published for row in rows]
    return PublishedFile(name, shown, [row.answer for row in rows], len(rows), size, sha256)


def swapped(row: Row) -> Row:
    """Return the row with its options in the other order."""
    return replace(row, options=row.options[::-1], answer=3 - row.answer)


def told(
    rows: Rows, says: Callable[[Row], bool], rng: random.Random, *, share: float = 1.0
) -> Rows:
    """Swap options of whole twins until a clue about the first row names its right option.

    It is left to chance for the twins beyond the share.
    """
    turned: dict[str, bool] = {}
    for row in rows:
        base = row.qid[:-2]
        if base not in turned:
            turned[base] = rng.random() < share and says(row) != (row.answer == 1)
    return [swapped(row) if turned[row.qid[:-2]] else row for row in rows]
