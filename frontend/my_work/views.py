"""A worker's own twins, votes and pay."""

from django.http import HttpResponse
from django.shortcuts import render

from collection.models import Campaign, Twin
from frontend.home.reads import totals
from frontend.http import PageRequest, signed_in
from frontend.my_work.reads import twin_states, with_questions
from frontend.paging import page_of
from validation.models import Vote
from workers.models import LedgerEntry

TWINS, VOTES, ENTRIES = 10, 10, 20


@signed_in()
def my_work(request: PageRequest) -> HttpResponse:
    mine = with_questions(Twin.objects.filter(author=request.user))
    twins = page_of(mine, request, parameter="twins", size=TWINS)
    given = Vote.objects.filter(worker=request.user).select_related("question__twin")
    entries = LedgerEntry.objects.filter(worker=request.user)
    context = {
        "totals": totals(request.user),
        "twins": twins,
        "states": twin_states(twins.rows),
        "votes": page_of(given, request, parameter="votes", size=VOTES),
        "entries": page_of(entries, request, parameter="pay", size=ENTRIES),
        "budgets": dict(Campaign.objects.values_list("public_id", "name")),
    }
    return render(request, "frontend/my_work/my_work.html", context)
