"""Knowledge sentences as their pages show them: forms, drafts, and false versions side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from collection.core.triggers import trigger_diff
from corpora.core.items import Item
from frontend.marks import Piece, marked_twins
from knowledge import services
from knowledge.core.false_versions import Pick, Side
from knowledge.core.problems import problem_of
from knowledge.core.slots import FORMS, MAX_LENGTH, Mention, SlotError, Template, read
from knowledge.models import Sentence

NAMES: dict[str, Any] = {
    "variable": _("variable"),
    "grounded": _("grounded"),
    "natural": _("natural"),
}
SIDES: dict[Side, Any] = {
    Side.ANTECEDENT: _("in the condition"),
    Side.CONSEQUENT: _("in the conclusion"),
    Side.WHOLE: "",
}
PICKS: dict[Pick, Any] = {
    Pick.OTHER: _("picks the other option"),
    Pick.NEITHER: _("picks no option"),
}


@dataclass(frozen=True, slots=True)
class TypedSentence:
    """A sentence with slots as its form has it, and the question's noun phrases."""

    text: str
    mentions: Mapping[str, Mapping[str, Any]]

    @classmethod
    def sent(cls, post: QueryDict) -> TypedSentence:
        names, texts = post.getlist("mention_name")[:20], post.getlist("mention_text")[:20]
        plural = set(post.getlist("mention_plural"))
        mentions = {
            name: {"text": text.strip().replace("\x00", ""), "plural": name in plural}
            for name, text in zip(names, texts, strict=False)
        }
        text = post.get("text", "").replace("\x00", "")[: 2 * MAX_LENGTH]
        return cls(text.replace("\r\n", "\n").strip(), mentions)

    @property
    def used_mentions(self) -> dict[str, Mapping[str, Any]]:
        """The mentions to store: of the names in the text, those with words."""
        try:
            kinds = read(self.text).kinds
        except SlotError:
            return {}
        return {
            name: words for name, words in self.mentions.items() if name in kinds and words["text"]
        }

    def preview(self, item: Item) -> Preview:
        """Return what the text is read as."""
        try:
            template = read(self.text)
        except SlotError as error:
            return Preview(error=error)
        mentions = {
            name: Mention(words["text"], words["plural"])
            for name, words in self.used_mentions.items()
        }
        rows = [
            (name, kind, self.mentions.get(name, {"text": "", "plural": False}))
            for name, kind in template.kinds.items()
        ]
        return Preview(_forms(template, mentions), rows, _problem_text(item, template))


@dataclass(frozen=True, slots=True)
class Preview:
    """The three forms of a text, its names with their noun phrases, and the problem it makes."""

    forms: tuple[tuple[Any, str], ...] = ()
    rows: list[tuple[str, str, Mapping[str, Any]]] | None = None
    problem: str = ""
    error: SlotError | None = None


def _forms(template: Template, mentions: Mapping[str, Mention]) -> tuple[tuple[Any, str], ...]:
    return tuple((NAMES[form], template.render(form, mentions)) for form in FORMS)


def _problem_text(item: Item, template: Template) -> str:
    """Return the problem for annotators; empty for a question that cannot be one."""
    try:
        return problem_of(item, template.render("variable", inside=True)).text
    except ValueError:
        return ""


def forms_of(sentence: Sentence) -> tuple[tuple[Any, str], ...]:
    """Return a stored sentence in its three forms."""
    return tuple((NAMES[form], sentence.text_in(form)) for form in FORMS)


def offers_of(sentence: Sentence) -> dict[str, Any]:
    """Return the false versions of a true sentence's formula; asks the prover about each."""
    offers = services.false_versions(sentence=sentence)
    return {
        "offers": [_offer(sentence, one) for one in offers.offers],
        "n_proved": offers.n_proved,
        "n_undecided": offers.n_undecided,
    }


def _offer(sentence: Sentence, one: services.Offer) -> dict[str, Any]:
    """Return an offer in words, with what differs from the true sentence marked in ``pieces``."""
    kind = one.changed.kind.value
    return {
        "kind": kind,
        "title": Sentence.Kind(kind).label,
        "side": SIDES[one.changed.side],
        "pick": PICKS[one.pick],
        "formula": one.formula,
        "text": one.text,
        "pieces": different(sentence.text, one.text),
    }


def different(true: str, false: str) -> list[Piece]:
    """Return the variable form of a false sentence, with what differs from the true one marked."""
    if not false:
        return []
    try:
        sentences = [read(text).render("variable") for text in (true, false)]
    except SlotError:
        return [Piece(false)]
    return marked_twins(trigger_diff(*sentences))[1]
