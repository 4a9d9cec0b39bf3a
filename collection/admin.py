from django.contrib import admin

from collection.models import (
    Article,
    Assignment,
    Campaign,
    Consent,
    CrowdSession,
    ExerciseItem,
    Guideline,
    Participant,
    Question,
    Study,
    Twin,
)
from workers.admin import read_only


class QuestionInline(admin.TabularInline):
    model = Question
    fields = readonly_fields = ("public_id", "number", "sentence", "answer")
    can_delete = False
    extra = 0

    def has_add_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False


read_only(
    Campaign, "name", "slug", "status", "verdict_policy", "created_at",
    list_filter=("status",), search_fields=("name", "slug"),
)  # fmt: skip
read_only(
    Article, "title", "campaign", "category", "source_id", search_fields=("title", "source_id")
)
read_only(Assignment, "public_id", "campaign", "article", "worker", "status", "leased_until")
read_only(
    Twin, "public_id", "campaign", "author", "origin", "domain", "created_at",
    search_fields=("public_id", "source_id", "option1", "option2"), inlines=(QuestionInline,),
)  # fmt: skip
read_only(
    Study, "name", "campaign", "provider", "skill", "units", "is_open", "created_at",
    search_fields=("name", "public_id"), hidden=("secret", "event_secret"),
)  # fmt: skip
read_only(
    Participant, "worker", "provider", "created_at",
    search_fields=("worker__public_id", "external_id"),
)  # fmt: skip
read_only(
    CrowdSession, "public_id", "study", "status", "created_at", "ended_at",
    search_fields=("public_id", "external_id"),
)  # fmt: skip
read_only(Guideline, "campaign", "version", "created_by", "created_at")
read_only(Consent, "worker", "guideline", "created_at", also_read=("guideline__campaign",))
read_only(ExerciseItem, "campaign", "skill", "number")
