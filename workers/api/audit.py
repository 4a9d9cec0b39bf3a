"""The audit log over HTTP, for admins."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from winoplatform.api.permissions import IsAdmin
from winoplatform.api.views import ListView, validated_query
from workers import selectors
from workers.models import AuditEvent

TAG = "workers"


class AuditQuerySerializer(serializers.Serializer[Any]):
    person = serializers.CharField(
        required=False,
        max_length=150,
        help_text="User name or pseudonym of who did it, or whose account it was done to.",
    )
    kind = serializers.ChoiceField(choices=AuditEvent.Kind.choices, required=False)
    since = serializers.DateTimeField(required=False, help_text="At this time or later.")
    until = serializers.DateTimeField(required=False, help_text="Before this time.")


class AuditEventSerializer(serializers.ModelSerializer[AuditEvent]):
    """An act: who did it, from where, and what it was done to."""

    at = serializers.DateTimeField(source="created_at")
    by = serializers.CharField(source="by.public_id", default=None, allow_null=True)
    by_name = serializers.CharField(source="by.username", default=None, allow_null=True)
    account = serializers.CharField(source="account.public_id", default=None, allow_null=True)
    account_name = serializers.CharField(source="account.username", default=None, allow_null=True)
    facts = serializers.DictField()

    class Meta:
        model = AuditEvent
        fields = selectors.AUDIT_COLUMNS


class AuditLog(ListView):
    """List the audit log, newest first; reading it is an event as well."""

    queryset = AuditEvent.objects.all()
    serializer_class = AuditEventSerializer
    permission_classes = [IsAdmin]
    query = AuditQuerySerializer
    audits = AuditEvent.Kind.AUDIT_LOG
    filter_backends: Any = []
    refuses = 400

    def visible(self, rows: Any) -> "QuerySet[Any]":
        data = validated_query(AuditQuerySerializer, self.request)
        return selectors.audit_events(**data)

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """List the audit log, newest first; reading it is an event as well."""
        return self.list(request)
