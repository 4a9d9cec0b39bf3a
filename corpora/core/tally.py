"""Figures of a file of questions, counted row by row."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from corpora.core.bundle.wording import TextFigures
from corpora.core.publish import PublishedRow


@dataclass(slots=True)
class Tally:
    """Counts over published rows; memory grows with the vocabulary alone."""

    questions: int = 0
    paired: int = 0
    first_options: int = 0
    domains: Counter[str] = field(default_factory=Counter)
    origins: Counter[str] = field(default_factory=Counter)
    text: TextFigures = field(default_factory=TextFigures)

    def add(self, row: PublishedRow, *, is_paired: bool, origin: str) -> None:
        """Count a row; *is_paired* if the file has its twin too."""
        self.questions += 1
        self.paired += is_paired
        self.first_options += row.answer == 1
        self.domains[row.domain] += 1
        self.origins[origin] += 1
        self.text.add(row.sentence)

    @property
    def pairs(self) -> int:
        return self.paired // 2

    def figures(self, *, is_blind: bool) -> dict[str, Any]:
        """Return the figures of a manifest, as `SplitFacts` has them; of a blind file no labels."""
        return {
            "questions": self.questions,
            "pairs": self.pairs,
            "unpaired": self.questions - self.paired,
            "label_1": None if is_blind else self.first_options,
            "domains": dict(sorted(self.domains.items())),
            "mean_words": self.text.mean_words,
            "mean_tokens": self.text.mean_tokens,
            "vocabulary": self.text.vocabulary,
        }
