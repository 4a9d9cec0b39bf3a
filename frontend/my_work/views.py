"""A worker's own twins, votes and pay."""

from django.http import HttpResponse
from django.shortcuts import render

from collection.models import Campaign, Twin
from frontend.earnings import pay_lines, totals
from frontend.http import PageRequest, signed_in
from frontend.items import twin_states, with_questions
from frontend.paging import page_of
from validation.models import Vote
from winoplatform.ids import as_uuid
from workers.models import LedgerEntry

TWINS, VOTES, ENTRIES = 10, 10, 20


@signed_in()
def my_work(request: PageRequest) -> HttpResponse:
    mine = with_questions(Twin.objects.filter(author=request.user))
    twins = page_of(mine, request, parameter="twins", size=TWINS)
    votes = Vote.objects.filter(worker=request.user).select_related("question__twin")
    question_id = as_uuid(request.GET.get("question", ""))
    if question_id is not None:
        votes = votes.filter(public_id=question_id)
    entries = page_of(
        LedgerEntry.objects.filter(worker=request.user), request, parameter="pay", size=ENTRIES
    )
    context = {
        "totals": totals(request.user),
        "twins": twins,
        "states": twin_states(twins.rows),
        "votes": page_of(votes, request, parameter="votes", size=VOTES),
        "shows_one": question_id is not None,
        "entries": entries,
        "lines": pay_lines(entries.rows),
        "budgets": dict(Campaign.objects.values_list("public_id", "name")),
    }
    return render(request, "frontend/my_work/my_work.html", context)
