"""The page of all scores on two versions of a set."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from corpora.models import ReferenceSet
from evaluation.selectors import find_comparable
from evaluation.selectors.versions import both_versions, later_versions
from frontend.http import PageRequest, signed_in
from winoplatform.errors import DomainError
from workers.models import AuditEvent
from workers.services.audit import audits


@audits(AuditEvent.Kind.LABELS)
@signed_in()
def versions(request: PageRequest, kind: str, name: str, split: str) -> HttpResponse:
    """Show the scores of all systems with the keys of a set and of a later version (``?after``)."""
    data, _others = find_comparable(request.user, kind, name, split)
    later = later_versions(request.user, data)
    wanted = request.GET.get("after", "")
    chosen = next((one for one in later if wanted in ("", one.name)), None)
    if chosen is None:
        missing = _("There is no later version of these questions, or you may not see it.")
        raise DomainError("not_found", missing, status=404)
    context = {
        "data": data,
        "later": later,
        "chosen": chosen,
        "is_set": isinstance(chosen, ReferenceSet),
        "found": both_versions(request.user, data, chosen),
    }
    return render(request, "frontend/evaluations/versions.html", context)
