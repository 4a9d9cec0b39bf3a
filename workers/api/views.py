"""Tokens, the user behind a token, and pay."""

from typing import Any

from django.contrib.auth import authenticate
from django.db.models import QuerySet
from rest_framework import generics
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from winoplatform.api.pagination import KeysetPagination
from winoplatform.api.permissions import Anyone
from winoplatform.api.schema import Refusal
from winoplatform.api.views import ListView, validated
from workers import selectors, services
from workers.api import serializers
from workers.api.callers import caller
from workers.api.filters import LedgerFilter
from workers.models import ApiToken, LedgerEntry


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
    refuses = [429, Refusal("authentication_failed", status=401)]

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
        user = authenticate(
            request._request, username=asked["username"], password=asked["password"]
        )
        if user is None:
            raise AuthenticationFailed("The user name or the password is wrong.")
        token, text = services.create_token(
            user=user, name=asked["name"], scopes=asked["scopes"], days=asked.get("days")
        )
        token.token = text  # type: ignore[attr-defined]
        return Response(serializers.NewTokenSerializer(token).data, status=201)


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
