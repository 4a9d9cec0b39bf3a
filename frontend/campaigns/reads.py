"""Campaigns: who can see them, and the progress of their questions."""

from collections import Counter
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _

from collection.models import Campaign
from frontend.verdicts import reason_sentence
from validation.selectors.states import active_facts


def verdict(funnel: Any) -> str:
    """Say how many of a campaign's questions are valid, and how many wait for votes."""
    if not funnel.written:
        return _("No question has been written yet.")
    said = _(
        "%(valid)s of %(written)s questions are valid, %(invalid)s are not, and %(waiting)s wait "
        "for votes."
    )
    return said % {
        "valid": f"{funnel.valid:,}",
        "written": f"{funnel.written:,}",
        "invalid": f"{funnel.validated - funnel.valid:,}",
        "waiting": f"{funnel.written - funnel.validated:,}",
    }


def reason_counts(campaign: Campaign) -> list[tuple[str, int]]:
    """Count the failed questions by reason, the most frequent first."""
    failed = active_facts().filter(campaign=campaign).exclude(reasons=[])
    counts: Counter[str] = Counter()
    for reasons, number in failed.values_list("reasons").annotate(Count("pk")):
        counts.update(dict.fromkeys(reasons, number))
    return [(reason_sentence(code), number) for code, number in counts.most_common()]
