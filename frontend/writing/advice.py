"""Advice on a complete twin while it is written; requested less often than checks."""

import uuid

from django.http import HttpResponse
from django.shortcuts import render

from collection.core.findings import Finding, Level
from collection.services import TwinText
from frontend.http import PageRequest, signed_in
from frontend.writing.desk import typed_text
from frontend.writing.views import posted_desk
from validation import services


@signed_in("POST")
def advise_twin(request: PageRequest, assignment_id: uuid.UUID) -> HttpResponse:
    """Compare this twin with the campaign's other twins; nothing is stored."""
    desk = posted_desk(request, assignment_id)
    text = typed_text(desk.form)
    if not is_complete(text):
        return _show(request, is_complete=False)
    advice = services.advise_writer(worker=request.user, assignment_id=assignment_id, text=text)
    return _show(request, is_complete=True, advice=advice)


def _show(
    request: PageRequest, *, is_complete: bool, advice: tuple[Finding, ...] = ()
) -> HttpResponse:
    n_blocking = sum(finding.level == Level.ERROR for finding in advice)
    context = {"is_complete": is_complete, "advice": advice, "n_blocking": n_blocking}
    return render(request, "frontend/writing/advised.html", context)


def is_complete(text: TwinText) -> bool:
    """Return whether both sentences and their answers are filled in."""
    has_blanks = all(sentence.count("_") == 1 for sentence in text.sentences)
    return has_blanks and all(text.options) and all(text.answers)
