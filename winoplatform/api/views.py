"""Views and helpers shared by the apps."""

from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from rest_framework import generics, serializers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.views import APIView

from winoplatform.api.permissions import IsCurator
from winoplatform.artifacts import store
from winoplatform.models import Artifact


def validated(form: type[serializers.BaseSerializer[Any]], request: Request, **options: Any) -> Any:
    """Return the validated body of *request*; raise an error by field."""
    serializer = form(data=request.data, **options)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def validated_quickly(form: type[serializers.Serializer[Any]], request: Request) -> Any:
    """Validate as ``validated`` does, with a cached form, for the most frequent requests.

    Only for forms of plain fields, which use neither validation of the whole body nor a context.
    """
    try:
        return _made(form).run_validation(request.data)
    except serializers.ValidationError:
        return validated(form, request)  # raises the error by field


@cache
def _made(form: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    return form()


def validated_query(form: type[serializers.BaseSerializer[Any]], request: Request) -> Any:
    """Return the validated query parameters; raise an error by field."""
    serializer = form(data=request.query_params)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


class CuratorView(APIView):
    """A view for curators alone."""

    permission_classes = [IsCurator]


class VisibleRows(generics.GenericAPIView[Any]):
    """A view of the rows of ``queryset`` that its user may see, identified by public id."""

    lookup_field = "public_id"
    lookup_url_kwarg = "id"

    def get_queryset(self) -> "QuerySet[Any]":
        rows = super().get_queryset()
        if getattr(self, "swagger_fake_view", False):
            return rows.none()
        return self.visible(rows)

    def visible(self, rows: Any) -> "QuerySet[Any]":
        visible: QuerySet[Any] = rows.visible_to(self.request.user)
        return visible


class ListView(VisibleRows, generics.ListAPIView[Any]):
    """A filtered page of rows, newest first."""


class DetailView(VisibleRows, generics.RetrieveAPIView[Any]):
    """One row."""


class AnyAccept(BaseContentNegotiation):
    """For downloads: the file has its own type whatever was requested, and errors are JSON."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


class CuratorFile(CuratorView):
    """A download for curators alone."""

    content_negotiation_class = AnyAccept


def download(
    request: HttpRequest | Request, artifact: Artifact, *, name: str, content_type: str
) -> HttpResponseBase:
    """Stream a stored file; its content hash is its ETag, so an unchanged one is not resent."""
    etag = quote_etag(artifact.sha256)
    wanted = request._request if isinstance(request, Request) else request
    unchanged = get_conditional_response(wanted, etag=etag)
    if unchanged is not None:
        return unchanged
    response = FileResponse(
        store.open_artifact(artifact),
        as_attachment=True,
        filename=name,
        content_type=content_type,
    )
    response["ETag"] = etag
    response["Content-Length"] = str(artifact.size)
    return response
