from django.contrib import admin

from evaluation.models import Evaluation
from workers.admin import ReadOnlyAdmin


@admin.register(Evaluation)
class EvaluationAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "release", "model", "split", "status", "created_at")
    list_filter = ("status", "model", "split")
    list_select_related = ("release",)
