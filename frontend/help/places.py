"""Which document, and which part of it, explains each page."""

from typing import NamedTuple


class Place(NamedTuple):
    """A document of the help, and the anchor of a heading in it."""

    document: str
    anchor: str = ""


OF_WORKERS = {
    "home": Place("work"),
    "join": Place("work", "before-you-begin"),
    "join-validate": Place("work", "before-you-begin"),
    "author": Place("work", "writing-a-twin"),
    "revise-twin": Place("work", "writing-a-twin"),
    "validate": Place("work", "answering-questions"),
    "my-work": Place("work", "appeals"),
    "my-consents": Place("work", "consent"),
    "my-consent": Place("work", "consent"),
    "withdraw-consent": Place("work", "consent"),
    "my-background": Place("work", "consent"),
    "join-formalise": Place("work", "before-you-begin"),
    "my-appeals": Place("work", "appeals"),
    "make-appeal": Place("work", "appeals"),
    "my-pay": Place("work", "pay"),
    "account": Place("api"),
    "own-data": Place("work", "your-data"),
}
OF_CURATORS = {
    "home": Place("campaigns"),
    "new-campaign": Place("campaigns"),
    "campaign": Place("campaigns"),
    "campaign-setup": Place("campaigns"),
    "campaign-articles": Place("imports", "what-is-in-them"),
    "campaign-article": Place("campaigns", "articles-that-are-wrong"),
    "campaign-guidelines": Place("campaigns"),
    "campaign-background": Place("campaigns", "consent-and-optional-questions"),
    "campaign-exercise": Place("campaigns"),
    "campaign-settings": Place("campaigns"),
    "campaign-members": Place("people"),
    "progress": Place("campaigns"),
    "data": Place("data"),
    "data-question": Place("data"),
    "review-queue": Place("rules", "what-curators-may-do"),
    "review-question": Place("rules", "what-curators-may-do"),
    "golds": Place("rules", "control-questions"),
    "appeals": Place("rules", "appeals"),
    "quality": Place("quality"),
    "people": Place("people"),
    "person": Place("people"),
    "invitations": Place("people"),
    "account": Place("people"),
    "own-data": Place("people"),
    "erase-person": Place("operations", "what-is-kept-of-people-and-how-long"),
    "campaign-pay": Place("pay"),
    "worker-pay": Place("pay"),
    "pay-check": Place("pay"),
    "payout": Place("pay"),
    "studies": Place("crowd"),
    "study": Place("crowd"),
    "pipeline": Place("filtering"),
    "new-filter-run": Place("filtering"),
    "filter-run": Place("filtering"),
    "evidence": Place("filtering"),
    "detection": Place("artifacts"),
    "detect-in-snapshot": Place("artifacts"),
    "detect-in-release": Place("artifacts"),
    "detect-in-reference-set": Place("artifacts"),
    "release": Place("releases"),
    "publish-release": Place("publishing"),
    "new-release": Place("releases"),
    "evaluations": Place("evaluation"),
    "evaluation": Place("evaluation"),
    "comparison": Place("evaluation", "in-the-browser"),
    "new-evaluations": Place("evaluation", "in-the-browser"),
    "new-predictions": Place("evaluation", "in-the-browser"),
    "fine-tunings": Place("fine-tuning", "in-the-browser"),
    "new-grid": Place("fine-tuning", "presets"),
    "grid": Place("fine-tuning", "in-the-browser"),
    "fine-tuning": Place("fine-tuning", "the-map-of-training-questions"),
    "paper-tables": Place("fine-tuning"),
    "paper-table": Place("fine-tuning"),
    "human-evaluations": Place("human-evaluation"),
    "human-evaluation": Place("human-evaluation"),
    "new-human-evaluation": Place("human-evaluation"),
    "leaderboard": Place("human-evaluation", "leaderboards"),
    "reference-sets": Place("reference-sets"),
    "reference-set": Place("reference-sets"),
    "new-reference-set": Place("reference-sets"),
    "knowledge-sets": Place("knowledge"),
    "knowledge-set": Place("knowledge"),
    "new-knowledge-set": Place("knowledge"),
    "knowledge-question": Place("knowledge"),
    "knowledge-formulas": Place("knowledge"),
    "knowledge-sentences": Place("knowledge-sentences"),
    "knowledge-sentence": Place("knowledge-sentences"),
    "knowledge-validation": Place("knowledge-sentences"),
    "knowledge-releases": Place("knowledge-release"),
    "knowledge-release": Place("knowledge-release"),
}


def place_of(url_name: str, *, is_curator: bool) -> Place | None:
    """Return what explains a page, by the name of its address."""
    return (OF_CURATORS if is_curator else OF_WORKERS).get(url_name)
