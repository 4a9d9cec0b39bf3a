"""The audit log, for admins: a filtered page, and the same as a file."""

import json
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from frontend.http import PageRequest, admins_only
from frontend.paging import page_of
from tabular.writing import csv_lines
from winoplatform.exporting.spreadsheets import saved_as
from workers import selectors
from workers.api.audit import AuditEventSerializer
from workers.models import AuditEvent
from workers.services.audit import audits

SHOWN = 50
ROWS_AT_ONCE = 1000


class AuditForm(forms.Form):
    person = forms.CharField(
        label=_("Person"),
        required=False,
        max_length=150,
        help_text=_("User name or pseudonym: of who did it, or whose account it was done to."),
    )
    kind = forms.ChoiceField(
        label=_("What"),
        required=False,
        choices=[("", _("everything")), *AuditEvent.Kind.choices],
    )
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def filters(self) -> dict[str, Any]:
        """Return the filters; days are whole, in the reader's zone."""
        fields = self.cleaned_data
        given: dict[str, Any] = {"person": fields.get("person", ""), "kind": fields.get("kind", "")}
        ends = {"since": time.min, "until": time.max}
        for name, end in ends.items():
            if day := fields.get(name):
                given[name] = timezone.make_aware(datetime.combine(day, end))
        return given


@never_cache
@audits(AuditEvent.Kind.AUDIT_LOG)
@admins_only()
def audit_log(request: PageRequest) -> HttpResponse:
    form = AuditForm(request.GET)
    is_valid = form.is_valid()
    rows = selectors.audit_events(**form.filters()) if is_valid else AuditEvent.objects.none()
    context = {
        "form": form,
        "page": page_of(rows, request, parameter="events", size=SHOWN),
        "query": urlencode({name: request.GET.get(name, "") for name in form.fields}),
        "is_filtered": is_valid and any(form.cleaned_data.values()),
    }
    status = 200 if is_valid else 400
    return render(request, "frontend/account/audit_log.html", context, status=status)


@audits(AuditEvent.Kind.AUDIT_LOG)
@admins_only()
def audit_file(request: PageRequest, ending: str) -> HttpResponse:
    """Return the events that the page lists as CSV or JSON lines, oldest first."""
    form = AuditForm(request.GET)
    if ending not in ("csv", "jsonl") or not form.is_valid():
        raise Http404(_("There is no such file."))
    events = selectors.audit_events(**form.filters()).order_by("pk").iterator(ROWS_AT_ONCE)
    rows = (AuditEventSerializer(event).data for event in events)
    if ending == "jsonl":
        lines: Iterator[str] = (json.dumps(row) + "\n" for row in rows)
        return saved_as("audit-log.jsonl", lines, content_type="application/x-ndjson")  # type: ignore[return-value]
    cells = ([*({**row, "facts": json.dumps(row["facts"])}).values()] for row in rows)
    return saved_as("audit-log.csv", csv_lines(selectors.AUDIT_COLUMNS, cells))  # type: ignore[return-value]
