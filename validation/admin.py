from django.contrib import admin

from validation.models import Appeal, GoldQuestion, Seat, Verdict, VerdictEvent, Vote
from workers.admin import ReadOnlyAdmin


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "campaign", "question", "number", "worker", "leased_until")
    list_filter = ("campaign",)


@admin.register(Vote)
class VoteAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "worker", "question", "option", "local_option", "ambiguous")
    list_filter = ("ambiguous",)


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "question", "valid", "reasons", "policy", "version")
    list_filter = ("valid", "policy")


@admin.register(VerdictEvent)
class VerdictEventAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "question", "action", "by", "reason")
    list_filter = ("action",)


@admin.register(GoldQuestion)
class GoldQuestionAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "campaign", "question", "origin", "created_by", "retired_at")
    list_filter = ("campaign", "origin")


@admin.register(Appeal)
class AppealAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "worker", "subject", "status", "decided_by")
    list_filter = ("subject", "status")
