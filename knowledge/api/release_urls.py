from django.urls import path

from knowledge.api import releases
from winoplatform.api import converters  # noqa: F401  (registers <file:…> for the paths below)

ONE = "knowledge-releases/<uuid:id>"

urlpatterns = [
    path(f"{ONE}/files/", releases.KnowledgeReleaseFiles.as_view()),
    path(f"{ONE}/files/<file:name>", releases.OneKnowledgeReleaseFile.as_view()),
    path(f"{ONE}/retract/", releases.RetractKnowledge.as_view()),
]
