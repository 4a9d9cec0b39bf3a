"""The page of all scores on two versions of a set."""

from django.http import HttpResponse
from django.shortcuts import render

from corpora.models import ReferenceSet
from evaluation.selectors.versions import both_versions
from frontend.http import PageRequest, signed_in
from workers.models import AuditEvent
from workers.services.audit import audits


@audits(AuditEvent.Kind.LABELS)
@signed_in()
def versions(request: PageRequest, kind: str, name: str, split: str) -> HttpResponse:
    """Show the scores of all systems with the keys of a set and of a later version (``?after``)."""
    found = both_versions(request.user, kind, name, split, request.GET.get("after", ""))
    context = {"found": found, "is_set": isinstance(found.after, ReferenceSet)}
    return render(request, "frontend/evaluations/versions.html", context)
