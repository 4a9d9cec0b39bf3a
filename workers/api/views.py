"""Accounts, qualifications, pauses and pay statements."""

from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from rest_framework import generics
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from winoplatform import second_factor
from winoplatform.api.pagination import KeysetPagination
from winoplatform.api.permissions import Anyone
from winoplatform.api.schema import File, Refusal
from winoplatform.api.views import AnyAccept, ApiView, ListView, VisibleRows, validated
from winoplatform.errors import DomainError
from winoplatform.processes import pools
from workers import selectors, services
from workers.api import serializers
from workers.api.callers import caller
from workers.api.filters import LedgerFilter, StatementFilter
from workers.exports import ZIP, own_data_response, statement_response
from workers.models import ApiToken, LedgerEntry, User


class StatementView(VisibleRows):
    """A view of the pay of one person, by default the caller."""

    queryset = LedgerEntry.objects.all()
    filterset_class = StatementFilter
    pagination_class = None

    def worker(self) -> User:
        return caller(self.request)

    def entries(self) -> QuerySet[LedgerEntry]:
        return self.filter_queryset(self.get_queryset().filter(worker=self.worker())).order_by("pk")

    def statement(self) -> dict[str, Any]:
        return {
            "worker": self.worker().public_id,
            "campaigns": selectors.balances(self.entries()),
        }

    def file(self) -> StreamingHttpResponse:
        lines = selectors.statement_lines(self.entries(), reader=caller(self.request))
        return statement_response(lines, self.worker())


class MyStatement(StatementView):
    serializer_class = serializers.StatementSerializer
    refuses = 400

    def get(self, request: Request) -> Any:
        """What you are owed, what is exported and what is paid, by campaign."""
        return self.statement()


class MyStatementFile(StatementView):
    content_negotiation_class = AnyAccept
    serializer_class = serializers.StatementSerializer
    gives = File("text/csv")
    refuses = 400

    def get(self, request: Request) -> Any:
        """All your entries as CSV, oldest first."""
        return self.file()


class MyData(ApiView):
    content_negotiation_class = AnyAccept
    gives = File(ZIP)

    def get(self, request: Request) -> Any:
        """All that is kept about you, as CSV and JSON in a zip file."""
        pools.hold(request._request, pools.DOWNLOADS)
        return own_data_response(caller(request))


LIMIT_SECONDS = 300
"""The window of ACCOUNT_RATE_LIMITS for wrong attempts."""
SECOND_FACTOR = (
    "The password alone is not enough for this account. Make the token on the page Your account, "
    "after you have signed in with a second factor."
)


class NewestTokensFirst(KeysetPagination):
    # The primary key is the token's digest, which no page may contain.
    ordering = "-created"


class Tokens(generics.ListAPIView[ApiToken]):
    """Your API tokens; creating one requires the password, not a token."""

    scope = {"POST": ""}

    serializer_class = serializers.TokenSerializer
    pagination_class = NewestTokensFirst
    queryset = ApiToken.objects.all()
    takes = serializers.TokenRequestSerializer
    gives = {"GET": [serializers.TokenSerializer], "POST": serializers.NewTokenSerializer}
    refuses = [
        429,
        Refusal("authentication_failed", status=401),
        Refusal("second_factor_required", status=403),
    ]

    def get_permissions(self) -> list[Any]:
        return [Anyone() if self.request.method == "POST" else IsAuthenticated()]

    def get_authenticators(self) -> list[Any]:
        # The password is the proof: a stale token or session sent with it is ignored.
        if self.request is not None and self.request.method == "POST":
            return []
        return super().get_authenticators()

    def get_authenticate_header(self, request: Request) -> str:
        return "Token"

    def get_queryset(self) -> QuerySet[ApiToken]:
        if getattr(self, "swagger_fake_view", False):
            return ApiToken.objects.none()
        return ApiToken.objects.filter(user=self.request.user)

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List your tokens, newest first; their texts are not stored."""
        return self.list(request)

    def post(self, request: Request) -> Response:
        """Exchange a user name and a password for a token, whose text is shown only once."""
        data = validated(serializers.TokenRequestSerializer, request)
        user = _with_password(request, data["username"], data["password"])
        token, text = services.create_token(
            user=user, name=data["name"], scopes=data["scopes"], days=data.get("days")
        )
        token.token = text  # type: ignore[attr-defined]
        return Response(serializers.NewTokenSerializer(token).data, status=201)


def _with_password(request: Request, username: str, password: str) -> User:
    """Return whose name and password these are, within the limits of the sign-in page."""
    try:
        user = get_adapter().authenticate(request._request, username=username, password=password)
    except ValidationError as error:
        details = {"retry_after": LIMIT_SECONDS}
        raise DomainError("throttled", error.messages[0], status=429, details=details) from error
    if user is None:
        raise AuthenticationFailed("The user name or the password is wrong.")
    if second_factor.has_one(user) or second_factor.is_needed(user):
        raise DomainError("second_factor_required", SECOND_FACTOR, status=403)
    return cast(User, user)


class EndTokens(ApiView):
    gives = None

    def post(self, request: Request) -> None:
        """Delete all your tokens, also the one that sends this."""
        services.revoke_all_tokens(user=caller(request))


class OneToken(ApiView):
    def delete(self, request: Request, token_key: str) -> None:
        """Delete one of your tokens."""
        services.revoke_token(user=caller(request), token_key=token_key)


class Me(ApiView):
    gives = serializers.MeSerializer

    def get(self, request: Request) -> Any:
        """The owner of the token or session."""
        return caller(request)


class Ledger(ListView):
    """What you are owed, entry by entry, newest first; curators also see their campaigns'."""

    queryset = LedgerEntry.objects.select_related("worker", "settlement", "second_approval")
    serializer_class = serializers.LedgerEntrySerializer
    filterset_class = LedgerFilter


class LedgerSummary(ListView):
    queryset = LedgerEntry.objects.all()
    serializer_class = serializers.LedgerSumSerializer
    filterset_class = LedgerFilter
    pagination_class = None

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """What you are owed by kind, state and currency; curators also see their campaigns'."""
        entries: Any = self.filter_queryset(self.get_queryset())
        return selectors.ledger_sums(entries, reader=caller(request))
