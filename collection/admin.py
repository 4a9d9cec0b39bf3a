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
from workers.admin import ReadOnlyAdmin


@admin.register(Campaign)
class CampaignAdmin(ReadOnlyAdmin):
    list_display = ("name", "slug", "status", "verdict_policy", "created_at")
    list_filter = ("status",)
    search_fields = ("name", "slug")


@admin.register(Article)
class ArticleAdmin(ReadOnlyAdmin):
    list_display = ("title", "campaign", "category", "source_id")
    list_filter = ("campaign",)
    search_fields = ("title", "source_id")


@admin.register(Assignment)
class AssignmentAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "campaign", "article", "worker", "status", "leased_until")
    list_filter = ("status", "campaign")


class QuestionInline(admin.TabularInline):
    model = Question
    fields = readonly_fields = ("public_id", "number", "sentence", "answer")
    can_delete = False
    extra = 0

    def has_add_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Twin)
class TwinAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "campaign", "author", "origin", "domain", "created_at")
    list_filter = ("campaign", "origin", "domain")
    search_fields = ("public_id", "source_id", "option1", "option2")
    inlines = (QuestionInline,)


@admin.register(Study)
class StudyAdmin(ReadOnlyAdmin):
    list_display = ("name", "campaign", "provider", "skill", "units", "is_open", "created_at")
    list_filter = ("provider", "is_open")
    search_fields = ("name", "public_id")
    hidden = ("secret", "event_secret")


@admin.register(Participant)
class ParticipantAdmin(ReadOnlyAdmin):
    list_display = ("worker", "provider", "created_at")
    list_filter = ("provider",)
    search_fields = ("worker__public_id", "external_id")


@admin.register(CrowdSession)
class CrowdSessionAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "study", "status", "created_at", "ended_at")
    list_filter = ("status",)
    search_fields = ("public_id", "external_id")


@admin.register(Guideline)
class GuidelineAdmin(ReadOnlyAdmin):
    list_display = ("campaign", "version", "created_by", "created_at")
    list_filter = ("campaign",)


@admin.register(Consent)
class ConsentAdmin(ReadOnlyAdmin):
    list_display = ("worker", "guideline", "created_at")
    also_read = ("guideline__campaign",)


@admin.register(ExerciseItem)
class ExerciseItemAdmin(ReadOnlyAdmin):
    list_display = ("campaign", "skill", "number")
    list_filter = ("campaign", "skill")
