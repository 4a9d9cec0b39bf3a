from typing import ClassVar

from django.contrib import admin

from corpora.models import (
    Draw,
    ReferenceSet,
    ReferenceSplit,
    Release,
    ReleaseFile,
    Selection,
    Snapshot,
)
from workers.admin import ReadOnlyAdmin


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "campaign", "status", "n_questions", "n_pairs", "created_at")
    list_filter = ("status", "campaign")


@admin.register(Draw)
class DrawAdmin(ReadOnlyAdmin):
    list_display = ("twin", "split", "origin", "is_pair", "created_at")
    list_filter = ("split", "origin", "twin__campaign")


@admin.register(Selection)
class SelectionAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "snapshot", "made_by", "status", "n_kept", "created_at")
    list_filter = ("status",)


@admin.register(ReferenceSet)
class ReferenceSetAdmin(ReadOnlyAdmin):
    list_display = ("name", "title", "licence", "is_public", "created_at")
    list_filter = ("is_public",)


@admin.register(ReferenceSplit)
class ReferenceSplitAdmin(ReadOnlyAdmin):
    list_display = ("reference_set", "name", "n_items", "n_groups", "n_labelled")


@admin.register(Release)
class ReleaseAdmin(ReadOnlyAdmin):
    # The key can be used to undo the shuffling of ids and options.
    hidden: ClassVar = ("key",)
    list_display = ("name", "status", "content_hash", "created_at")
    list_filter = ("status",)


@admin.register(ReleaseFile)
class ReleaseFileAdmin(ReadOnlyAdmin):
    list_display = ("release", "name", "rows", "restricted")
    list_filter = ("restricted",)
