"""Result files of filter runs and assessments. For curators."""

from typing import Any

from filtering.models import Assessment, FilterRun
from winoplatform.api.runs import ResultFile
from winoplatform.api.schema import File
from winoplatform.models import Artifact


class KeptQuestions(ResultFile):
    """The ids of the questions that a finished run kept, one per line."""

    queryset = FilterRun.objects.select_related("selection__kept")
    gives = File("text/plain", "Ids of the questions kept, one per line.", has_etag=True)
    file_name = "kept-{id}.txt"

    def result(self, run: Any) -> Artifact | None:
        kept: Artifact | None = run.selection.kept
        return kept


class AssessmentReport(ResultFile):
    """The report of a finished assessment; the same run and seed give the same bytes."""

    queryset = Assessment.objects.select_related("report")
    gives = File("application/json", "All parts as one canonical JSON document.", has_etag=True)
    file_name = "assessment-{id}.json"

    def result(self, run: Any) -> Artifact | None:
        report: Artifact | None = run.report
        return report
