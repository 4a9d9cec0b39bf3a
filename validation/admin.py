from django.contrib import admin

from validation.models import Seat, Verdict, Vote
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
