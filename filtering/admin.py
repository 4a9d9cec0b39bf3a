from typing import ClassVar

from django.contrib import admin

from filtering.models import (
    Assessment,
    AssessmentPart,
    Draw,
    Encoding,
    FilterRun,
    Phase,
    Release,
    ReleaseFile,
    Snapshot,
    Tuning,
    TuningEpoch,
)
from workers.admin import ReadOnlyAdmin


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "campaign", "status", "n_questions", "n_pairs", "created_at")
    list_filter = ("status", "campaign")
    list_select_related = ("campaign",)


@admin.register(Draw)
class DrawAdmin(ReadOnlyAdmin):
    list_display = ("twin", "split", "origin", "is_pair", "created_at")
    list_filter = ("split", "origin", "twin__campaign")
    list_select_related = ("twin",)


@admin.register(Encoding)
class EncodingAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "snapshot", "encoder", "features", "status", "created_at")
    list_filter = ("status",)
    list_select_related = ("snapshot",)


@admin.register(Tuning)
class TuningAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "snapshot", "encoder", "status", "accuracy", "created_at")
    list_filter = ("status",)
    list_select_related = ("snapshot",)


@admin.register(TuningEpoch)
class TuningEpochAdmin(ReadOnlyAdmin):
    list_display = ("run", "number", "loss", "accuracy", "seconds")
    list_select_related = ("run",)


@admin.register(FilterRun)
class FilterRunAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "method", "n", "m", "k", "tau", "status", "n_kept", "created_at")
    list_filter = ("status", "method")


@admin.register(Phase)
class PhaseAdmin(ReadOnlyAdmin):
    list_display = ("run", "number", "n_before", "n_removed", "accuracy", "seconds")
    list_select_related = ("run",)


@admin.register(Assessment)
class AssessmentAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "filter_run", "status", "seed", "created_at")
    list_filter = ("status",)
    list_select_related = ("filter_run",)


@admin.register(AssessmentPart)
class AssessmentPartAdmin(ReadOnlyAdmin):
    list_display = ("run", "number", "name", "seconds")
    list_select_related = ("run",)


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    # Whoever knows the key can undo the shuffling of ids and options.
    hidden: ClassVar = ("key",)
    list_display = ("name", "status", "content_hash", "created_at")
    list_filter = ("status",)


@admin.register(ReleaseFile)
class ReleaseFileAdmin(ReadOnlyAdmin):
    list_display = ("release", "name", "rows", "restricted")
    list_filter = ("restricted",)
    list_select_related = ("release",)
