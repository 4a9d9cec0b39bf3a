"""What is wrong with a formalisation as it is typed."""

from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import render

from corpora.core.items import Item
from frontend.http import PageRequest
from frontend.knowledge.typed import Typed, marks, texts_of
from knowledge.models import Formula
from winoplatform.http import throttle

CHECKS, WINDOW_SECONDS = 240, 60
"""A page asks at most once in 350 ms, 171 times a minute; the rest is for a second tab."""
FIELDS = ("things", "scene", "clause", "outcome", "knowledge")


def refused_check(request: PageRequest) -> HttpResponse | None:
    """Count a check of the user, before anything is read for it; answer one that is too many."""
    name = f"formulas checked {request.user.pk}"
    wait = throttle.count(name, limit=CHECKS, window_seconds=WINDOW_SECONDS)
    if not wait:
        return None
    page = "frontend/knowledge/check_refused.html"
    answer = render(request, page, {"wait": wait}, status=429)
    answer["Retry-After"] = str(wait)
    return answer


def checked(
    request: PageRequest, item: Item, typed: Typed, formulas: Sequence[Formula]
) -> HttpResponse:
    """Answer with the problems of each field; nothing is stored."""
    problems = typed.problems(item, formulas)
    context = {
        "marks": marks(problems, texts_of(typed, item, formulas), is_typing=True),
        "fields": FIELDS,
        "is_ready": not problems,
    }
    return render(request, "frontend/knowledge/checked.html", context)
