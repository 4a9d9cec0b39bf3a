"""What knowledge pages share: the check of formulas, the form of majorities, imported reasons."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from corpora.core.items import Item
from evaluation.methods import METHODS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.models import Evaluation
from frontend.http import PageRequest, curators_only
from frontend.items import pieces_of
from frontend.knowledge.reads import answer_of, pronoun_of
from frontend.knowledge.typed import FormValues, marks, texts_of
from frontend.paging import page_of
from frontend.shell.evaluations import EnsembleForm
from knowledge.core.reasons import TYPES, Flag, Validity
from knowledge.models import Formula, KnowledgeRelease, KnowledgeSet, Reason
from winoplatform.http import throttle
from winoplatform.runs.models import RunStatus

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
    request: PageRequest, item: Item, typed: FormValues, formulas: Sequence[Formula]
) -> HttpResponse:
    """Answer with the problems of each field; nothing is stored."""
    problems = typed.problems(item, formulas)
    context = {
        "marks": marks(problems, texts_of(typed, item, formulas), is_typing=True),
        "fields": FIELDS,
        "is_ready": not problems,
    }
    return render(request, "frontend/knowledge/checked.html", context)


def about_question(found: KnowledgeSet, item: Item, typed: FormValues) -> dict[str, Any]:
    """Return what the page of a question shows in any set, and its fields as they were typed."""
    filled, k = typed.filled(len(item.options)), len(item.options)
    return {
        "set": found,
        "item": item,
        "pieces": pieces_of(item),
        "answer": answer_of(item),
        "pronoun_words": pronoun_of(item),
        "typed": filled,
        "options": list(zip(item.options, filled.things[:k], strict=True)),
        "things": filled.things[k:],
        "marks": {},
    }


def majority_form(release: KnowledgeRelease, data: Any = None) -> EnsembleForm:
    """Return the form with the evaluations of a release whose answers can be counted."""
    done = Evaluation.objects.filter(knowledge_release=release, status=RunStatus.DONE)
    runs = {str(run.public_id): run for run in done.exclude(method=ENSEMBLE).order_by("pk")}
    return EnsembleForm(data, of_members=runs, labels=labels(runs.values()))


def labels(runs: Iterable[Evaluation]) -> dict[str, str]:
    """Return the method and model of each run by public id; and what else tells them apart."""
    alike = defaultdict(list)
    for run in runs:
        alike[run.method, run.model].append(run)
    return {key: label for group in alike.values() for key, label in _told_apart(group)}


def _told_apart(group: Sequence[Evaluation]) -> Iterator[tuple[str, str]]:
    every = [_details(run) for run in group]
    differs = [len(set(values)) > 1 for values in zip(*every, strict=True)]
    for run, details in zip(group, every, strict=True):
        title = str(METHODS[run.method].title)
        yield str(run.public_id), " · ".join([title, run.model, *compress(details, differs)])


def _details(run: Evaluation) -> tuple[str, ...]:
    """Return what else can differ: how it was computed, and to the second when."""
    whole, linear = now("whole model trained"), now("linear layer trained")
    return (
        run.dtype,
        now("learns from %s") % run.trained_on,
        now("rates of %s") % run.rates_of,
        linear if run.is_frozen else whole,
        now("seeds %s") % ", ".join(map(str, run.seeds)),
        format_date(timezone.localtime(run.created_at), "j M Y, H:i:s T"),
    )


REASONS = 50
VALIDITY: dict[str, Any] = {
    Validity.VALID.value: _("valid"),
    Validity.INVALID.value: _("invalid"),
    Validity.UNDECIDED.value: _("undecided"),
}
FLAGS: dict[str, Any] = {
    Flag.CIRCULAR.value: _("circular"),
    Flag.IRRELEVANT.value: _("irrelevant"),
    Flag.CONTRADICTING.value: _("contradicting"),
}


@curators_only()
def reasons(request: PageRequest) -> HttpResponse:
    """List reasons; ``?validity``, ``?flag`` and ``?type`` narrow the list."""
    chosen = {name: request.GET.get(name, "") for name in ("validity", "flag", "type")}
    rows = Reason.objects.visible_to(request.user)
    if chosen["validity"] in VALIDITY:
        rows = rows.that_are(Validity(chosen["validity"]))
    if chosen["flag"] in FLAGS:
        rows = rows.filter(flags__contains=[chosen["flag"]])
    if chosen["type"] in TYPES:
        rows = rows.filter(types__contains=[chosen["type"]])
    context = {
        "page": page_of(rows, request, parameter="before", size=REASONS),
        "n": rows.count(),
        "chosen": chosen,
        "validity": VALIDITY,
        "flags": FLAGS,
        "filters": [
            ("validity", _("Validity"), VALIDITY),
            ("flag", _("Flag"), FLAGS),
            ("type", _("Kind of knowledge"), {name: name for name in TYPES}),
        ],
    }
    return render(request, "frontend/knowledge/reasons.html", context)
