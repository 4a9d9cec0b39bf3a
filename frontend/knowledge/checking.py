"""What is wrong with a formalisation as it is typed."""

from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from corpora.core.items import Item
from frontend.http import PageRequest
from frontend.knowledge.typed import Typed, marks, texts_of
from knowledge.models import Formula
from winoplatform import throttle
from winoplatform.errors import DomainError
from workers.models import User

CHECKS, WINDOW_SECONDS = 120, 60
"""A page asks at most once in 350 ms, after a pause in the typing."""
FIELDS = ("things", "scene", "clause", "outcome", "knowledge")


def count_check(user: User) -> None:
    """Count one check of a user's, before anything is read for it; refuse too many."""
    wait = throttle.count(
        f"formulas checked {user.pk}", limit=CHECKS, window_seconds=WINDOW_SECONDS
    )
    if wait:
        said = _("The formulas were checked too often. Wait %d seconds, then go on typing.")
        raise DomainError("throttled", said % wait, status=429, details={"retry_after": wait})


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
