"""Views and helpers shared by the apps."""

from functools import cache, partial
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from rest_framework import generics, serializers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from winoplatform.api.declared import declared, statuses, success_content
from winoplatform.api.permissions import IsCurator
from winoplatform.api.ranges import FileToSend, sent
from winoplatform.artifacts.store import open_artifact
from winoplatform.http.rights import Right, needed
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
        return _instance(form).run_validation(request.data)
    except serializers.ValidationError:
        return validated(form, request)  # raises the error by field


@cache
def _instance(form: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    return form()


def validated_query(form: type[serializers.BaseSerializer[Any]], request: Request) -> Any:
    """Return the validated query parameters; raise an error by field."""
    serializer = form(data=request.query_params)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def refuse_unknown(request: Request, known: set[str]) -> None:
    """Refuse query parameters that are not *known*: one misspelt would be ignored.

    Raises
    ------
    ValidationError
        With a sentence for each unknown parameter.
    """
    wrong = sorted(set(request.query_params) - known)
    if wrong:
        sentence = f"There is no such parameter here; known are {', '.join(sorted(known))}."
        raise serializers.ValidationError(dict.fromkeys(wrong, sentence), code="unknown")


def known_parameters(view: generics.GenericAPIView[Any]) -> set[str]:
    """Return the query parameters of a list: its filters, those of its pages, and ``format``."""
    filters = getattr(view, "filterset_class", None)
    form = getattr(view, "query", None)
    paged = {"page_size", "cursor"} if view.pagination_class else set()
    names = set(form().fields) if form else set()
    return {"format", *paged, *names, *(filters.base_filters if filters else ())}


class ApiView(APIView):
    """A view whose methods return what they answer, for ``gives`` to write, or a response.

    ``reads`` and ``changes`` are the rights in a campaign that members need.
    """

    reads: Right = Right.DATA
    changes: Right = Right.MANAGE

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        needed(self.reads if request.method in SAFE_METHODS else self.changes)
        super().initial(request, *args, **kwargs)

    def body(self) -> Any:
        """Return the validated body of the request; of a partial form, the fields that it has."""
        form = declared(self, str(self.request.method), "takes")
        if isinstance(form, serializers.BaseSerializer):
            return validated(type(form), self.request, partial=form.partial)
        return validated(form, self.request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **named: Any) -> Any:
        if not isinstance(response, HttpResponseBase):
            try:
                response = self._answer(response)
            except Exception as error:  # as of the method itself
                response = self.handle_exception(error)
        return super().finalize_response(request, response, *args, **named)

    def _answer(self, content: Any) -> Response:
        method = "GET" if self.request.method in SAFE_METHODS else str(self.request.method)
        form, status = success_content(self, method), statuses(self, method)[0]
        if form is None:
            return Response(status=status)
        kind, many = (form[0], True) if isinstance(form, list) else (form, False)
        context = {"request": self.request, "view": self}
        return Response(kind(content, many=many, context=context).data, status=status)


class CuratorView(ApiView):
    """A view for curators alone."""

    permission_classes = [IsCurator]


class VisibleRows(ApiView, generics.GenericAPIView[Any]):
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
    """A filtered page of rows, newest first; an unknown query parameter is refused."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method in SAFE_METHODS:
            refuse_unknown(request, known_parameters(self))


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
    """Stream a stored file or a range of it; its content hash is its ETag."""
    wanted = request._request if isinstance(request, Request) else request
    file = FileToSend(
        name, content_type, artifact.sha256, artifact.size, partial(open_artifact, artifact)
    )
    return sent(wanted, file)
