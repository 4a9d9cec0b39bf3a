"""The text that a writer submits, and its check by the campaign's rules."""

from dataclasses import dataclass
from typing import Self

from collection.core.rules import Domain, Report, TwinDraft, check_twin
from collection.core.words import one_blank, one_line
from collection.models import Article, Campaign, Twin


@dataclass(frozen=True, slots=True)
class TwinText:
    """The text submitted for one assignment; white space becomes single spaces."""

    sentences: tuple[str, str]
    options: tuple[str, str]
    answers: tuple[int, int]
    anchor: str
    domain: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentences", tuple(map(one_blank, self.sentences)))
        object.__setattr__(self, "options", tuple(map(one_line, self.options)))
        object.__setattr__(self, "anchor", one_line(self.anchor))

    @classmethod
    def of(cls, twin: Twin) -> Self:
        """Return the text of a stored twin."""
        questions = list(twin.questions.order_by("number"))
        return cls(
            sentences=(questions[0].sentence, questions[1].sentence),
            options=twin.options,
            answers=(questions[0].answer, questions[1].answer),
            anchor=twin.anchor,
            domain=twin.domain,
        )


def check_text(*, campaign: Campaign, text: TwinText, article: Article | None = None) -> Report:
    """Check a twin by the campaign's rules; nothing is stored.

    With *article* the anchor must come from it.
    """
    draft = TwinDraft(
        sentences=text.sentences,
        options=text.options,
        answers=text.answers,
        anchor=text.anchor,
        domain=Domain(text.domain) if text.domain in set(Domain) else None,
        article=f"{article.title}\n{article.text}" if article else None,
    )
    blocking = frozenset(campaign.blocking)
    return check_twin(draft, thresholds=campaign.thresholds, blocking=blocking)
