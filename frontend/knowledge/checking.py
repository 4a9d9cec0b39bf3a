"""What is wrong with a formalisation as it is typed."""

from collections.abc import Sequence

from django.http import HttpResponse
from django.shortcuts import render

from corpora.core.items import Item
from frontend.http import PageRequest
from frontend.knowledge.typed import Typed, marks, texts_of
from knowledge.models import Formula

FIELDS = ("things", "scene", "clause", "outcome", "knowledge")


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
