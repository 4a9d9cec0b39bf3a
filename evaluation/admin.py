from django.contrib import admin

from evaluation.models import Evaluation, StarterLoad
from workers.admin import ReadOnlyAdmin


@admin.register(Evaluation)
class EvaluationAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "release", "model", "split", "status", "created_at")
    list_filter = ("status", "model", "split")


@admin.register(StarterLoad)
class StarterLoadAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "campaign", "status", "created_at")
