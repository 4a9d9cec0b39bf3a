"""Start an encoding of a snapshot, by an encoder as it is or by a tuned one."""

import uuid
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from corpora.models import Snapshot
from filtering import services
from filtering.models import Encoding, Tuning
from frontend.encodings.forms import EncodingForm
from frontend.encodings.tunings import REFUSED_AT, find_tuning
from frontend.http import PageRequest, curators_only
from frontend.lookups import find_snapshot
from frontend.runs.views import started


@curators_only("GET", "POST")
def new_encoding(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start an encoding by an encoder as it is."""
    return _ask(request, find_snapshot(public_id), None)


@curators_only("GET", "POST")
def encode_tuned(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start an encoding by a tuned encoder, of the questions that its tuning did not use."""
    tuning = find_tuning(public_id)
    return _ask(request, tuning.snapshot, tuning)


def _ask(request: PageRequest, snapshot: Snapshot, tuning: Tuning | None) -> HttpResponse:
    draft = Encoding(snapshot=snapshot, tuning=tuning)
    form = EncodingForm(request.POST or None, instance=draft)
    if request.method == "POST":
        start = partial(services.encode, snapshot=snapshot, tuning=tuning, by=request.user)
        if started(form, start, refused_at=REFUSED_AT) is not None:
            messages.success(
                request,
                _(
                    "The encoding is queued. You can already start filter runs over it; they "
                    "wait for it."
                ),
            )
            return _to(snapshot, tuning)
    context = {"form": form, "snapshot": snapshot, "campaign": snapshot.campaign, "tuning": tuning}
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/encodings/encoding_form.html", context, status=status)


def _to(snapshot: Snapshot, tuning: Tuning | None) -> HttpResponse:
    """Redirect to the page that shows the encoding's progress."""
    if tuning is not None:
        return redirect("tuning", tuning.public_id)
    return redirect("campaign", snapshot.campaign.slug)
