from django.contrib import admin

from validation.models import Appeal, GoldQuestion, Seat, Verdict, VerdictEvent, Vote
from workers.admin import ReadOnlyAdmin


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "campaign", "question", "number", "worker", "leased_until")
    list_filter = ("campaign",)
    list_select_related = ("campaign", "question", "worker")


@admin.register(Vote)
class VoteAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "worker", "question", "option", "local_option", "ambiguous")
    list_filter = ("ambiguous",)
    list_select_related = ("worker", "question")


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "question", "valid", "reasons", "policy", "version")
    list_filter = ("valid", "policy")
    list_select_related = ("question",)


@admin.register(VerdictEvent)
class VerdictEventAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "question", "action", "by", "reason")
    list_filter = ("action",)
    list_select_related = ("question", "by")


@admin.register(GoldQuestion)
class GoldQuestionAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "campaign", "question", "origin", "created_by", "retired_at")
    list_filter = ("campaign", "origin")
    list_select_related = ("campaign", "question", "created_by")


@admin.register(Appeal)
class AppealAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "worker", "subject", "status", "decided_by")
    list_filter = ("subject", "status")
    list_select_related = ("worker", "decided_by")
