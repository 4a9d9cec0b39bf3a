"""The form that chooses the evaluations whose majority is counted, each with words of its own."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from evaluation.models import KnowledgeEvaluation
from knowledge.models import KnowledgeRelease
from winoplatform.runs.models import RunStatus


class MembersField(forms.ModelMultipleChoiceField):
    labels: dict[int, str]

    def label_from_instance(self, run: Any) -> str:
        return self.labels[run.pk]


class MajorityForm(forms.Form):
    """The evaluations of a release whose answers are counted."""

    members = MembersField(
        label=_("Evaluations"),
        queryset=KnowledgeEvaluation.objects.none(),
        to_field_name="public_id",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose two evaluations or more.")},
    )

    def __init__(self, *args: Any, release: KnowledgeRelease) -> None:
        super().__init__(*args)
        done = KnowledgeEvaluation.objects.filter(release=release, status=RunStatus.DONE)
        members: Any = self.fields["members"]
        members.queryset = done.exclude(method=KnowledgeEvaluation.Method.MAJORITY).order_by("pk")
        members.labels = labels(members.queryset)


def labels(runs: Iterable[KnowledgeEvaluation]) -> dict[int, str]:
    """Return the method and model of each run by key; where runs share both, also what differs."""
    alike = defaultdict(list)
    for run in runs:
        alike[run.method, run.model].append(run)
    return {key: label for group in alike.values() for key, label in _told_apart(group)}


def _told_apart(group: Sequence[KnowledgeEvaluation]) -> Iterator[tuple[int, str]]:
    every = [_details(run) for run in group]
    differs = [len(set(values)) > 1 for values in zip(*every, strict=True)]
    for run, details in zip(group, every, strict=True):
        yield run.pk, " · ".join([run.get_method_display(), run.model, *compress(details, differs)])


def _details(run: KnowledgeEvaluation) -> tuple[str, ...]:
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
