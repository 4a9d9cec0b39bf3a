"""Results that the platform attaches to a release."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from corpora.api.serializers import ReleaseReportSerializer
from corpora.models import Release
from evaluation import services
from evaluation.core.paper_tables import TABLES, WRITERS
from winoplatform.api.fields import ByPublicId
from winoplatform.api.views import CuratorView
from winoplatform.errors import NotFound
from workers.api.callers import caller


class NewAttachmentSerializer(serializers.Serializer[Any]):
    release = ByPublicId(Release.objects.all())
    ending = serializers.ChoiceField(choices=list(WRITERS), help_text="The form of the file.")


class AttachPaperTable(CuratorView):
    takes = NewAttachmentSerializer
    gives = ReleaseReportSerializer
    success = 201
    refuses = 409

    def post(self, request: Request, name: str) -> Any:
        """Attach a paper's table to a release, without figures of blind tests."""
        if name not in TABLES:
            raise NotFound("table")
        return services.attach_paper_table(table=name, by=caller(request), **self.asked())
