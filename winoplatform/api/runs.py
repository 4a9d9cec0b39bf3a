"""Runs over HTTP: create, list, show, cancel and resume, in the same way for every kind."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db import models
from django.db.models import Model, QuerySet
from django.http import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.module_loading import autodiscover_modules
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from winoplatform.api.fields import AmountField, FiniteFloatField
from winoplatform.api.filters import RunFilter
from winoplatform.api.permissions import CuratorsChange, IsCurator
from winoplatform.api.rows import RowSerializer
from winoplatform.api.schema import File
from winoplatform.api.views import (
    AnyAccept,
    DetailView,
    ListView,
    VisibleRows,
    download,
)
from winoplatform.db import money
from winoplatform.described import column_of
from winoplatform.errors import Conflict
from winoplatform.models import Artifact
from winoplatform.runs.attempts import request_cancel
from winoplatform.runs.keeping import annotate, delete_run
from winoplatform.runs.models import Run
from winoplatform.runs.start import resume

RUN_FIELDS = (
    "id",
    "status",
    "done",
    "total",
    "share",
    "activity",
    "failure",
    "attempt",
    "cancel_requested",
    "caption",
    "is_starred",
    "is_archived",
    "wait_seconds",
    "run_seconds",
    "seconds_left",
    "created_by",
    "created_at",
    "started_at",
    "ended_at",
)


class RunSerializer(RowSerializer):
    # The fields of any run; a subclass adds ``Meta``, the run's input, settings and results.

    created_by = serializers.CharField(
        source="created_by.public_id",
        read_only=True,
        allow_null=True,
        default=None,
        help_text="Public id of the user who started it.",
    )


class SettingsSerializer(serializers.ModelSerializer[Any]):
    """The settings of a new run, as its columns describe them."""

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.FloatField: FiniteFloatField,
        money.AmountField: AmountField,
    }


def setting(model: type[Model], name: str, **options: Any) -> Any:
    """Return a serializer's field for a setting, with its column's bounds, meaning and default."""
    column = column_of(model, name)
    kind, built = SettingsSerializer().build_standard_field(name, column)
    if column.has_default():
        default = column.get_default()
        built["default"] = getattr(default, "value", default)
        built.pop("required", None)
    return kind(**(built | options))


class AnnotationSerializer(serializers.Serializer[Any]):
    """What a curator changes of a run; settings and results never change."""

    caption = serializers.CharField(
        max_length=100, allow_blank=True, required=False, help_text="A name for the run."
    )
    is_starred = serializers.BooleanField(required=False)
    is_archived = serializers.BooleanField(
        required=False, help_text="An archived run is left out of the lists of pages."
    )


class CuratorRows(VisibleRows):
    """Rows of the campaigns that a curator is a member of."""

    permission_classes = [IsCurator]


@dataclass(frozen=True, kw_only=True)
class RunResource:
    """The REST resource of one kind of run, which defines its URLs.

    ``start`` is the service that stores a new run: it gets the validated fields of ``form``, and
    the user as ``by``. ``visible`` restricts rows to those a user may see; without it, only
    curators may see runs. ``reads`` is the permission of a resource with ``visible``. ``audits`` is
    the kind of the event of reading runs whose results tell labels. ``lists`` and ``creates``
    describe these operations for OpenAPI.
    """

    name: str
    rows: "QuerySet[Any]"
    serializer: type[RunSerializer]
    form: type[serializers.BaseSerializer[Any]]
    start: Callable[..., Run]
    filters: type[RunFilter]
    creates: str
    lists: str = "List the {kinds}, newest first."
    detail: type[RunSerializer] | None = None
    visible: Callable[[Any, Any], "QuerySet[Any]"] | None = None
    reads: type[CuratorsChange] = CuratorsChange
    audits: str | None = None

    def urls(self) -> list[URLPattern]:
        """Return the URL patterns: list and create, detail, cancel and resume."""
        one, of = f"{self.name}/<uuid:id>", {"resource": self, "audits": self.audits}
        return [
            path(f"{self.name}/", RunList.as_view(**of)),
            path(f"{one}/", OneRun.as_view(**of)),
            path(f"{one}/cancel/", CancelRun.as_view(**of)),
            path(f"{one}/resume/", ResumeRun.as_view(**of)),
        ]


_resources: dict[str, RunResource] = {}


def register(**described: Any) -> None:
    """Register a ``RunResource``; each app's ``api.runs`` registers its kinds of runs."""
    resource = RunResource(**described)
    _resources[resource.name] = resource


def resources() -> list[RunResource]:
    """Return the resource of every kind of run of the installed apps."""
    autodiscover_modules("api.runs")
    return list(_resources.values())


def resource_of(model: type[Run]) -> RunResource:
    """Return the resource of one kind of run."""
    return next(each for each in resources() if each.rows.model is model)


def urls() -> list[URLPattern]:
    """Return the URL patterns of every kind of run."""
    return [url for resource in resources() for url in resource.urls()]


class RunView(VisibleRows):
    """A view of the runs of one resource."""

    resource: RunResource = None  # type: ignore[assignment]  # passed to as_view()
    audits: str | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.audits and request.method in SAFE_METHODS:
            request._request.audits = self.audits  # type: ignore[attr-defined]

    @property
    def queryset(self) -> Any:  # type: ignore[override]
        return self.resource.rows

    @property
    def serializer_class(self) -> Any:  # type: ignore[override]
        return self.resource.serializer

    @property
    def permission_classes(self) -> Any:  # type: ignore[override]
        return [self.resource.reads if self.resource.visible else IsCurator]

    @property
    def tag(self) -> str:
        return str(self.resource.rows.model._meta.app_label)

    @property
    def words(self) -> dict[str, str]:
        """Return the values of the placeholders in descriptions."""
        meta = self.resource.rows.model._meta
        kinds = {"kind": str(meta.verbose_name), "kinds": str(meta.verbose_name_plural)}
        texts = {"lists": self.resource.lists, "creates": self.resource.creates}
        return kinds | {name: text.format(**kinds) for name, text in texts.items()}

    def visible(self, rows: Any) -> Any:
        if self.request.method not in SAFE_METHODS:
            return rows.filter(rows.model.of_member(self.request.user))
        if self.resource.visible:
            return self.resource.visible(self.request.user, rows)
        return rows.visible_to(self.request.user)


class RunList(RunView, ListView):
    """{lists}"""

    refuses = 409

    @property
    def filterset_class(self) -> Any:
        return self.resource.filters

    @property
    def takes(self) -> Any:
        return self.resource.form

    def post(self, request: Request) -> Any:
        """{creates}"""
        return self.resource.start(by=request.user, **self.body())


class OneRun(RunView, DetailView):
    """One {kind}: its progress, settings and results."""

    takes = {"PATCH": AnnotationSerializer}
    refuses = 409

    @property
    def queryset(self) -> Any:  # type: ignore[override]
        rows = self.resource.rows
        return rows.prefetch_related("steps") if self.resource.detail else rows

    @property
    def serializer_class(self) -> Any:  # type: ignore[override]
        return self.resource.detail or self.resource.serializer

    def patch(self, request: Request, id: uuid.UUID) -> Any:
        """Name, star or archive this {kind}."""
        run = self.get_object()
        annotate(run, **self.body())
        return run

    def delete(self, request: Request, id: uuid.UUID) -> None:
        """Delete this {kind}, which has ended and on which nothing depends.

        What is published is never deleted.
        """
        delete_run(self.get_object())


class CancelRun(RunView):
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Cancel this {kind}: at once if it waits, at its next step if it runs."""
        run = self.get_object()
        request_cancel(run)
        return run


class ResumeRun(RunView):
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Resume this {kind}, which failed or was cancelled, after its last recorded step.

        Runs that failed only because this one did are resumed too.
        """
        run = self.get_object()
        resume(run)
        return run


class ResultFile(CuratorRows):
    """A result file of a run; a subclass's docstring describes it.

    ``stored`` names the field with the file, through other rows with dots.
    """

    content_negotiation_class = AnyAccept
    refuses = 409
    gives: File
    file_name: str
    stored: str

    def get(self, request: Request, id: uuid.UUID) -> HttpResponseBase:
        stored: Artifact | None = attrgetter(self.stored)(self.get_object())
        if stored is None:
            raise Conflict("run_not_done", "This run has no result yet; look at its status.")
        name = self.file_name.format(id=id)
        return download(request, stored, name=name, content_type=self.gives.media_type)
