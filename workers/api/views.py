"""Tokens, the user behind a token, and pay."""

from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from rest_framework import generics
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from winoplatform import second_factor
from winoplatform.api.pagination import KeysetPagination
from winoplatform.api.permissions import Anyone
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ListView, validated
from winoplatform.errors import DomainError
from workers import selectors, services
from workers.api import serializers
from workers.api.callers import caller
from workers.api.filters import LedgerFilter
from workers.models import ApiToken, LedgerEntry, User

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
        asked = validated(serializers.TokenRequestSerializer, request)
        user = _with_password(request, asked["username"], asked["password"])
        token, text = services.create_token(
            user=user, name=asked["name"], scopes=asked["scopes"], days=asked.get("days")
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


class EndTokens(APIView):
    gives = None

    def post(self, request: Request) -> Response:
        """Delete all your tokens, also the one that sends this."""
        services.revoke_all_tokens(user=caller(request))
        return Response(status=204)


class OneToken(APIView):
    def delete(self, request: Request, token_key: str) -> Response:
        """Delete one of your tokens."""
        services.revoke_token(user=caller(request), token_key=token_key)
        return Response(status=204)


class Me(APIView):
    gives = serializers.MeSerializer

    def get(self, request: Request) -> Response:
        """The owner of the token or session."""
        return Response(serializers.MeSerializer(caller(request)).data)


class Ledger(ListView):
    """What you are owed, entry by entry, newest first; curators see all workers' entries."""

    queryset = LedgerEntry.objects.select_related("worker", "settlement", "second_approval")
    serializer_class = serializers.LedgerEntrySerializer
    filterset_class = LedgerFilter


class LedgerSummary(ListView):
    queryset = LedgerEntry.objects.all()
    serializer_class = serializers.LedgerSumSerializer
    filterset_class = LedgerFilter
    pagination_class = None

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """What you are owed by kind, state and currency; curators see totals over all workers."""
        found: Any = self.filter_queryset(self.get_queryset())
        sums = selectors.ledger_sums(found, reader=caller(request))
        return Response(self.get_serializer(sums, many=True).data)
