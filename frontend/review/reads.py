"""The review queue and its audit log, in words."""

from collections.abc import Mapping

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Campaign, Question
from validation.core.posteriors import Model
from validation.models import Case
from validation.selectors.review_queue import DOUBT, OPEN, review_queue

MODELS = {
    Model.EQUAL: later("a model in which all validators are equally reliable"),
    Model.ONE_COIN: later("the one-coin model, with one reliability for each validator"),
    Model.DAWID_SKENE: later("the Dawid–Skene model, with each validator’s reliability and habits"),
}


def filtered(campaign: Campaign, chosen: dict[str, str]) -> QuerySet[Case]:
    """Return the cases that match a curator's filters."""
    doubt = int(chosen.get("doubt", DOUBT))
    cases = review_queue(campaign, state=chosen.get("state", OPEN), doubt=doubt)
    if chosen.get("only") == "reported":
        cases = cases.filter(reports__gt=0)
    elif chosen.get("only") == "appealed":
        cases = cases.filter(appealed=True)
    elif chosen.get("only") == "flagged":
        cases = cases.filter(flagged=True)
    elif chosen.get("only") == "suspected":
        cases = cases.filter(suspected=True)
    if "reason" in chosen:
        cases = cases.filter(question__verdict__reasons__contains=[chosen["reason"]])
    if "domain" in chosen:
        cases = cases.filter(domain=chosen["domain"])
    return cases


def own_answer(asked: Mapping[str, str]) -> int | None:
    """Return the answer that a curator gave before the author's was shown; 0: cannot tell."""
    return {"0": 0, "1": 1, "2": 2}.get(asked.get("own", ""))


def own_words(question: Question, own: int | None) -> str:
    """Return the curator's own answer in words; empty if there is none."""
    if own is None:
        return ""
    if own == 0:
        return _("You could not tell before the answer was shown.")
    option = question.twin.options[own - 1]
    if own == question.answer:
        return _("You chose “%(option)s”, as the author did.") % {"option": option}
    return _("You chose “%(option)s”; the author’s answer is another one.") % {"option": option}
