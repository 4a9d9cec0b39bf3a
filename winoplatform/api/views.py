"""What the views of every app share."""

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
    """Return the checked body of *request*, or refuse it field by field."""
    serializer = form(data=request.data, **options)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def validated_quickly(form: type[serializers.Serializer[Any]], request: Request) -> Any:
    """As ``validated``, with a form that is made once: for the requests that come most often.

    Only for forms of plain fields, which ask neither the body as a whole nor a context.
    """
    try:
        return _made(form).run_validation(request.data)
    except serializers.ValidationError:
        return validated(form, request)  # says what is wrong


@cache
def _made(form: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    return form()


def validated_query(form: type[serializers.BaseSerializer[Any]], request: Request) -> Any:
    """Return what the address asks for, checked, or refuse it field by field."""
    serializer = form(data=request.query_params)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


class CuratorView(APIView):
    """A view for curators alone."""

    permission_classes = [IsCurator]


class VisibleRows(generics.GenericAPIView[Any]):
    """A view of the rows of ``queryset`` that its user may see, each by its public id."""

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
    """For downloads: the file has the type that it has, and refusals are JSON."""

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
    """Stream a stored file; its content hash is its ETag, so an unchanged one is not sent again."""
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
