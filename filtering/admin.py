from django.contrib import admin

from filtering.models import (
    Assessment,
    AssessmentPart,
    Encoding,
    FilterRun,
    Phase,
    Tuning,
    TuningEpoch,
)
from workers.admin import ReadOnlyAdmin


@admin.register(Encoding)
class EncodingAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "snapshot", "encoder", "features", "status", "created_at")
    list_filter = ("status",)


@admin.register(Tuning)
class TuningAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "snapshot", "encoder", "status", "accuracy", "created_at")
    list_filter = ("status",)


@admin.register(TuningEpoch)
class TuningEpochAdmin(ReadOnlyAdmin):
    list_display = ("run", "number", "loss", "accuracy", "seconds")


@admin.register(FilterRun)
class FilterRunAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "method", "n", "m", "k", "tau", "status", "created_at")
    list_filter = ("status", "method")


@admin.register(Phase)
class PhaseAdmin(ReadOnlyAdmin):
    list_display = ("run", "number", "n_before", "n_removed", "accuracy", "seconds")


@admin.register(Assessment)
class AssessmentAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "filter_run", "status", "seed", "created_at")
    list_filter = ("status",)


@admin.register(AssessmentPart)
class AssessmentPartAdmin(ReadOnlyAdmin):
    list_display = ("run", "number", "name", "seconds")
