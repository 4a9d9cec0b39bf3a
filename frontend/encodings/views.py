"""Tune an encoder on some of the questions of a snapshot, and encode the others."""

import uuid
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from corpora.models import Snapshot
from filtering import services
from filtering.models import Encoding, Tuning
from filtering.selectors.questions import Parts, parts_of, parts_of_tuning
from frontend.encodings import reads as selectors
from frontend.encodings.words import SHOWN, settings_of
from frontend.epochs import charts_of
from frontend.forms import exact_text, settings_form
from frontend.http import PageRequest, curators_only, existing, show
from frontend.lookups import find_snapshot
from frontend.runs.reads import shown_run
from frontend.runs.views import started
from modeling.batches import POOLINGS
from winoplatform import clock
from winoplatform.described import column_of, form_field
from winoplatform.ids import as_uuid
from workers.models import User

POOLING_NAMES: dict[str, Any] = {
    "": later("the encoder’s default"),
    "mean": later("mean of all words"),
    "cls": later("first word"),
    "last": later("last word"),
}


class EncoderForm(forms.ModelForm):
    """The encoder and its pooling; if empty, the installation's default encoder and pooling."""

    encoder = form_field(Tuning, "encoder", required=False)
    pooling = forms.ChoiceField(
        required=False,
        choices=[(name, POOLING_NAMES[name]) for name in ("", *POOLINGS)],
        help_text=column_of(Tuning, "pooling").help_text,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        settings_form(self)
        if "encoder" in self.fields:
            self.fields["encoder"].widget.attrs |= exact_text(placeholder=settings.ENCODER).attrs


class TuningForm(EncoderForm):
    class Meta:
        model = Tuning
        fields: ClassVar[list[str]] = [
            "n_train", "n_validation", "epochs", "batch_size", "learning_rate", "seed", "encoder",
            "pooling",
        ]  # fmt: skip


class EncodingForm(EncoderForm):
    """Has no encoder fields if the instance has a tuning, which sets encoder and pooling."""

    class Meta:
        model = Encoding
        fields: ClassVar[list[str]] = ["features", "encoder", "pooling", "dtype"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.tuning_id:
            del self.fields["encoder"], self.fields["pooling"]


REFUSED_AT = {
    "encoder_unknown": "encoder",
    "encoder_refused": "encoder",
    "snapshot_too_small": "n_train",
}


def find_tuning(user: User, public_id: uuid.UUID) -> Tuning:
    rows = Tuning.objects.visible_to(user).select_related("snapshot__campaign")
    return existing(rows, _("There is no such tuning."), public_id=public_id)


@curators_only("GET", "POST")
def new_tuning(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start a tuning over a snapshot; ``?like`` fills in the settings of another one."""
    snapshot = find_snapshot(request.user, public_id)
    context: dict[str, Any] = {"snapshot": snapshot, "campaign": snapshot.campaign}
    try:
        parts = parts_of(snapshot)
    except ValueError as error:
        parts, context["too_small"] = None, str(error)
    like = _like(request.user, request.GET.get("like", ""))
    form = TuningForm(request.POST or None, instance=_draft(snapshot, parts, like))
    if request.method == "POST":
        start = partial(services.tune, snapshot=snapshot, by=request.user)
        made = started(form, start, refused_at=REFUSED_AT)
        if made is not None:
            return redirect("tuning", made.public_id)
    context |= {"form": form, "parts": parts, "like": like}
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/encodings/tuning_form.html", context, status=status)


def _like(user: User, public_id: str) -> Tuning | None:
    if not public_id:
        return None
    like_id = as_uuid(public_id)
    if like_id is None:
        raise Http404(_("There is no such tuning."))
    return find_tuning(user, like_id)


def _draft(snapshot: Snapshot, parts: Parts | None, like: Tuning | None) -> Tuning:
    if like is not None:
        return Tuning(snapshot=snapshot, **{name: getattr(like, name) for name in SHOWN})
    suggested = {"n_train": parts.n_train, "n_validation": parts.n_validation} if parts else {}
    return Tuning(snapshot=snapshot, **suggested)


@curators_only()
def tuning(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show a tuning; its live part polls while the tuning or an encoding made with it is open."""
    run, now = find_tuning(request.user, public_id), clock.now()
    parts = parts_of_tuning(run)
    epochs = list(run.steps.all())
    rows = selectors.epoch_rows(epochs, parts) if parts else []
    encodings = selectors.encodings_of(run, now)
    is_open = not run.has_ended or any(not row.run.has_ended for row in encodings)
    best = next((row for row in rows if row.is_best), None)
    context = {
        **shown_run(request, run, is_open=is_open),
        "campaign": run.snapshot.campaign,
        "parts": parts,
        "rows": rows,
        "best": best,
        "finding": selectors.finding(best.accuracy) if best and best.accuracy else "",
        "seconds_left": selectors.seconds_left(run, epochs),
        "encodings": encodings,
        "is_open": is_open,
        "settings": settings_of(run),
        **charts_of(rows, of_two=True),
    }
    return show(request, "frontend/encodings/tuning.html", context, part="live")


@curators_only("GET", "POST")
def new_encoding(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start an encoding by an encoder as it is."""
    return _ask(request, find_snapshot(request.user, public_id), None)


@curators_only("GET", "POST")
def encode_tuned(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start an encoding by a tuned encoder, of the questions that its tuning did not use."""
    tuning = find_tuning(request.user, public_id)
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
    return redirect("pipeline", snapshot.campaign.slug)
