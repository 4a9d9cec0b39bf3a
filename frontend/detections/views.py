"""Pages of searches for artifacts."""

import json
import uuid
from functools import partial
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from corpora.models import Release, Snapshot
from evaluation import services
from evaluation.methods.language_models import REMOTE
from evaluation.models import ArtifactDetection
from evaluation.selectors import encodings_for
from filtering.models import Encoding
from frontend.detections import words
from frontend.detections.reads import detections, findings
from frontend.detections.words import SPLITS, encoding_choice
from frontend.http import PageRequest, curators_only, existing, show
from frontend.lookups import find_set, find_snapshot
from frontend.paging import page_of
from frontend.runs.reads import run_row, shown_run
from frontend.runs.views import started
from frontend.shell.choices import method_choices, model_choices
from winoplatform import clock
from winoplatform.described import form_field


class EncodingChoice(forms.ModelChoiceField):
    def label_from_instance(self, obj: Encoding) -> str:
        return encoding_choice(obj)


class DetectionForm(forms.Form):
    """The split, an encoding if the set has one, models that are asked, and the seed."""

    split = forms.ChoiceField(label=later("Split"))
    encoding = EncodingChoice(
        Encoding.objects.none(),
        label=later("Encoding"),
        required=False,
        empty_label=later("none"),
        help_text=later("Its features are one more detector."),
    )
    scorers = forms.MultipleChoiceField(
        label=later("Models"),
        required=False,
        help_text=later(
            "Each is asked about the texts that should not determine the answer. Its scores are "
            "used if they are there; otherwise it takes as long as four evaluations."
        ),
    )
    seed = form_field(ArtifactDetection, "seed")

    def __init__(self, *args: Any, draft: ArtifactDetection, **options: Any) -> None:
        super().__init__(*args, **options)
        splits = _splits(draft)
        self.can_start = bool(splits)
        if draft.snapshot is None:
            self.fields["split"].choices = splits  # type: ignore[attr-defined]
        else:
            del self.fields["split"]
        encodings = encodings_for(draft)
        if encodings:
            self.fields["encoding"].queryset = encodings  # type: ignore[attr-defined]
            self.initial["encoding"] = encodings[0]
        else:
            del self.fields["encoding"]
        self.fields["scorers"].choices = scorer_choices()  # type: ignore[attr-defined]

    def clean_scorers(self) -> list[dict[str, str]]:
        return [json.loads(value) for value in self.cleaned_data["scorers"]]


def scorer_choices() -> list[tuple[str, str]]:
    """Return the methods that can look for artifacts, with the models known to fit them."""
    found, known = [], model_choices()
    for choice in method_choices():
        models = [one for one in known if one.fits(choice.method)]
        if not choice.method.detects or choice.method.name == REMOTE:
            continue
        for model in models if choice.method.has_model else [None]:
            spec, name = (model.spec, model.label) if model else ("", "")
            value = {"method": choice.method.name, "variant": choice.variant, "model": spec}
            variant = choice.method.variants.get(choice.variant, "")
            label = " · ".join(filter(None, [name, str(choice.method.title), str(variant)]))
            found.append((json.dumps(value), label))
    return found


def _splits(draft: ArtifactDetection) -> list[tuple[str, Any]]:
    """Return the splits whose labels are all known, and not those of a blind one."""
    if draft.reference_set is not None:
        rows = draft.reference_set.splits.all()
        return [(row.name, row.name) for row in rows if row.n_labelled == row.n_items]
    names = ArtifactDetection.RELEASE_SPLITS if draft.release else (draft.WHOLE,)
    return [(name, SPLITS[name]) for name in names]


EARLIER = 10
REFUSED_AT = {
    "split_unknown": "split",
    "split_blind": "split",
    "labels_unknown": "split",
    "encoding_incomplete": "encoding",
    **dict.fromkeys(
        ("too_many_scorers", "scorer_unsuitable", "model_refused", "model_unknown", "no_corpus"),
        "scorers",
    ),
}


@curators_only()
def detection(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show a search: its verdict first, and each detector's figures; it polls while it is open."""
    rows = detections(request.user)
    run = existing(rows, _("There is no such search."), public_id=public_id)
    context = {
        **shown_run(request, run),
        **words.about_set(run),
        "split": words.split_name(run),
        "found": findings(run),
        "evaluations": run.evaluations.select_related("reference_set").order_by("pk"),
    }
    return show(request, "frontend/detections/detection.html", context, part="live")


@curators_only("GET", "POST")
def in_release(request: PageRequest, name: str) -> HttpResponse:
    """Start a search in a release's labelled splits."""
    release = existing(
        Release.objects.live().filter(Release.of_member(request.user)),
        _("There is no such release."),
        name=name,
    )
    return _ask(request, ArtifactDetection(release=release))


@curators_only("GET", "POST")
def in_reference_set(request: PageRequest, name: str) -> HttpResponse:
    """Start a search in a split of a reference set."""
    return _ask(request, ArtifactDetection(reference_set=find_set(request.user, name)))


@curators_only("GET", "POST")
def in_snapshot(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start a search in all questions of a snapshot."""
    snapshot: Snapshot = find_snapshot(request.user, public_id)
    return _ask(request, ArtifactDetection(snapshot=snapshot))


def _ask(request: PageRequest, draft: ArtifactDetection) -> HttpResponse:
    data: dict[str, Any] = {
        "release": draft.release,
        "reference_set": draft.reference_set,
        "snapshot": draft.snapshot,
    }
    form = DetectionForm(request.POST if request.method == "POST" else None, draft=draft)
    if request.method == "POST":
        start = partial(services.detect, **data, by=request.user)
        made = started(form, start, refused_at=_refused_at(form))
        if made is not None:
            return redirect("detection", made.public_id)
    page = page_of(
        detections(request.user).filter(**data), request, parameter="detections", size=EARLIER
    )
    now = clock.now()
    context = {
        "form": form,
        **words.about_set(draft),
        "page": page,
        "rows": [run_row(run, now) for run in page.rows],
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/detections/detection_form.html", context, status=status)


def _refused_at(form: DetectionForm) -> dict[str, str]:
    """Return the fields of refusals, without those that the form does not have."""
    return {code: field for code, field in REFUSED_AT.items() if field in form.fields}
