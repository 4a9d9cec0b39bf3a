"""Input of the rule checker: submitted twins, and thresholds."""

from dataclasses import dataclass
from enum import StrEnum

CHARACTERS_PER_WORD = 40


class Domain(StrEnum):
    """The subject of the twins of an assignment."""

    SOCIAL = "social"
    PHYSICAL = "physical"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """A campaign's thresholds; the defaults are those of the paper.

    Raises
    ------
    ValueError
        Unless ``1 <= min_words <= max_words`` and ``0 <= min_overlap <= 1``.
    """

    min_words: int = 15
    max_words: int = 30
    min_overlap: float = 0.70

    def __post_init__(self) -> None:
        if not self.min_words >= 1:
            raise ValueError(f"min_words must be 1 or more, got {self.min_words}")
        if self.max_words < self.min_words:
            raise ValueError(
                f"max_words must be min_words ({self.min_words}) or more, got {self.max_words}"
            )
        if not 0 <= self.min_overlap <= 1:
            raise ValueError(f"min_overlap must be between 0 and 1, got {self.min_overlap}")

    @property
    def max_characters(self) -> int:
        """Maximum length of a sentence that is checked word by word."""
        return CHARACTERS_PER_WORD * self.max_words


@dataclass(frozen=True, slots=True, kw_only=True)
class TwinDraft:
    """Twins as submitted by their author.

    The two options belong to both sentences; `answers` holds the right option (1 or 2) of each
    sentence. `anchor` is None if none was assigned, as in published data; likewise `domain`.
    `article` is the text (including the title) that must contain the anchor; None: not checked.
    """

    sentences: tuple[str, str]
    options: tuple[str, str]
    answers: tuple[int, int]
    anchor: str | None = None
    domain: Domain | None = None
    article: str | None = None
