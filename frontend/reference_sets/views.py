"""Pages of reference sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from corpora import services
from corpora.core.items import Item
from corpora.models import ReferenceSet, ReferenceSplit
from evaluation.models import Evaluation
from frontend.http import PageRequest, curators_only, existing, show, signed_in
from frontend.items import pieces_of, question_of
from frontend.lookups import find_set, with_splits
from frontend.marks import Piece
from frontend.paging import page_of
from frontend.reference_sets.forms import ImportForm, VisibilityForm
from frontend.shell.evaluations import evaluation_rows, evaluation_table
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.http.bodies import UPLOADED_BYTES, SkipLarge, accept_files
from workers.models import AuditEvent, User
from workers.services.audit import audits

ITEMS = 20


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item with its number in the file; of each option, whether it is the answer."""

    number: int
    item: Item
    pieces: tuple[Piece, ...]
    question: str
    options: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class ItemPage:
    """Some items of a split in the order of the file; ``earlier`` and ``later`` are pages."""

    split: ReferenceSplit
    rows: list[ItemRow]
    first: int
    last: int
    earlier: int | None
    later: int | None


def chosen_split(found: ReferenceSet, name: str) -> ReferenceSplit:
    """Return the split of this name; the first one if no name is given."""
    for split in found.splits.all():
        if name in ("", split.name):
            return split
    raise Http404(_("This reference set has no such split."))


def item_page(split: ReferenceSplit, number: str) -> ItemPage:
    """Return a page of a split's items, counted from 1; another number returns the first page.

    Only the items of the page are parsed, so the last page of a large split is shown as quickly.
    """
    pages = -(-split.n_items // ITEMS)
    page = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 1
    page = page if 1 <= page <= pages else 1
    start = (page - 1) * ITEMS
    with store.open_artifact(split.items) as file:
        lines = [line.decode() for line in islice(file, start, start + ITEMS)]
    return ItemPage(
        split=split,
        rows=[_item_row(n, Item.from_line(line)) for n, line in enumerate(lines, start + 1)],
        first=start + 1,
        last=start + len(lines),
        earlier=page - 1 if page > 1 else None,
        later=page + 1 if page < pages else None,
    )


def _item_row(number: int, item: Item) -> ItemRow:
    options = tuple((text, n == item.answer) for n, text in enumerate(item.options, 1))
    return ItemRow(number, item, tuple(pieces_of(item)), question_of(item), options)


def matching(rows: "QuerySet[ReferenceSet]", query: str) -> "QuerySet[ReferenceSet]":
    """Return the sets with a text in their name or title, in any case of letters."""
    return rows.filter(Q(name__icontains=query) | Q(title__icontains=query)) if query else rows


@dataclass(frozen=True, slots=True)
class SetRow:
    """A reference set in the list, and how many evaluations refer to it."""

    reference_set: ReferenceSet
    n_evaluations: int


def set_rows(sets: Sequence[ReferenceSet]) -> list[SetRow]:
    counts = Evaluation.objects.filter(reference_set__in=sets).order_by().values("reference_set")
    sizes = dict(counts.annotate(n=Count("pk")).values_list("reference_set", "n"))
    return [SetRow(named_set, sizes.get(named_set.pk, 0)) for named_set in sets]


def evaluated_split(found: ReferenceSet) -> ReferenceSplit | None:
    """Return the split that is evaluated first: test, else the first one with all answers."""
    splits = [split for split in found.splits.all() if split.n_labelled == split.n_items]
    # Most papers report the test split.
    return min(splits, key=lambda split: split.name != "test", default=None)


SETS, LEFT_OUT = 30, 10


@signed_in()
def reference_sets(request: PageRequest) -> HttpResponse:
    """List the sets that the user may see, newest first; ``?q`` searches names and titles."""
    query = request.GET.get("q", "").strip()[:200].replace("\x00", "")
    rows = matching(with_splits(request.user), query)
    page = page_of(rows, request, parameter="sets", size=SETS)
    context = {"page": page, "rows": set_rows(page.rows), "query": query}
    return render(request, "frontend/reference_sets/reference_sets.html", context)


@csrf_exempt  # `_import` checks the token, after it is known who may send files
@curators_only("GET", "POST")
def new_reference_set(request: PageRequest) -> HttpResponse:
    """Import a reference set from uploaded files."""
    return _import(request, accept_files(request))


@csrf_protect
def _import(request: PageRequest, limit: SkipLarge) -> HttpResponse:
    is_sent = request.method == "POST"
    sent = (request.POST, request.FILES) if is_sent else (None, None)
    form = ImportForm(*sent, too_large=limit.skipped)
    if is_sent and form.is_valid():
        made = _imported(request, form)
        if made is not None:
            messages.success(request, _("The reference set was imported. Only you see it."))
            return redirect("reference-set", made.name)
    context = {"form": form, "upload_megabytes": UPLOADED_BYTES >> 20}
    status = 400 if is_sent else 200
    template = "frontend/reference_sets/reference_set_form.html"
    return render(request, template, context, status=status)


def _imported(request: PageRequest, form: ImportForm) -> ReferenceSet | None:
    left_out: list[str] = []
    try:
        made = services.import_reference_set(
            by=request.user, left_out=left_out.append, **form.question()
        )
        for sentence in left_out[:LEFT_OUT]:
            messages.info(request, sentence)
        for split in made.splits.all():
            if split.warning:
                messages.warning(request, split.warning)
        return made
    except ValidationError as error:
        form.add_error(None, error)
    except DomainError as refusal:
        form.refuse(refusal)
    return None


@audits(AuditEvent.Kind.LABELS)
@signed_in()
def reference_set(request: PageRequest, name: str) -> HttpResponse:
    """Show a set: its splits and items and, to curators, its evaluations."""
    return _page(request, find_set(request.user, name))


def _page(
    request: PageRequest,
    named_set: ReferenceSet,
    *,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {"reference_set": named_set, "refusal": refusal}
    seen = ReferenceSet.objects.visible_to(request.user)
    context["revises"] = seen.filter(revisions=named_set).first()
    context["revisions"] = seen.filter(revises=named_set)
    if request.user.is_curator:
        context |= evaluation_table(
            evaluation_rows(request.user).filter(reference_set=named_set), request
        )
        context["evaluated_split"] = evaluated_split(named_set)
        context["is_own"] = is_own(request.user, named_set)
        context["seen_by"] = _seen_by(named_set)
        context["choices"] = VisibilityForm.SEEN_BY
    if not request.htmx:  # the poll updates only the evaluations
        split = chosen_split(named_set, request.GET.get("split", ""))
        context["items"] = item_page(split, request.GET.get("page", ""))
    template = "frontend/reference_sets/reference_set.html"
    return show(request, template, context, part="evaluations", status=status)


def is_own(user: User, named_set: ReferenceSet) -> bool:
    return user.role == User.Role.ADMIN or named_set.created_by in (None, user)


def _seen_by(named_set: ReferenceSet) -> str:
    """Return who sees a set, as a value of `VisibilityForm`."""
    return "all" if named_set.is_public else "curators" if named_set.is_shared else "me"


def _own_set(user: User, name: str) -> ReferenceSet:
    sets = with_splits(user).filter(ReferenceSet.own(user))
    return existing(sets, _("There is no such reference set, or it is not yours."), name=name)


@curators_only("POST")
def change_reference_set(request: PageRequest, name: str) -> HttpResponse:
    """Change who can read a set of yours: all signed-in users, all curators, or only you."""
    named_set = _own_set(request.user, name)
    form = VisibilityForm(request.POST)
    if not form.is_valid():
        return _page(request, named_set, status=400)
    try:
        services.change_reference_set(reference_set=named_set, **form.arguments())
    except DomainError as refusal:
        return _page(request, named_set, refusal=refusal, status=refusal.status)
    seen_by = dict(VisibilityForm.SEEN_BY)[form.cleaned_data["seen_by"]]
    messages.success(request, _("The set is seen by: %s.") % seen_by)
    return redirect("reference-set", name)


@curators_only("POST")
def delete_reference_set(request: PageRequest, name: str) -> HttpResponse:
    """Delete a set, unless an evaluation refers to it."""
    named_set = _own_set(request.user, name)
    try:
        services.delete_reference_set(reference_set=named_set)
    except DomainError as refusal:
        return _page(request, find_set(request.user, name), refusal=refusal, status=refusal.status)
    messages.success(request, _("The reference set “%s” was deleted.") % named_set.title)
    return redirect("reference-sets")
