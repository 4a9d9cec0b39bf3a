"""Artifact detections in words."""

from django.urls import reverse
from django.utils.translation import gettext as _

from evaluation.core.artifacts import results
from evaluation.models import ArtifactDetection
from frontend.detections.words import about, set_name
from frontend.runs.words import RunWords, register


class DetectionWords(RunWords[ArtifactDetection]):
    stage = 7
    related = ("reference_set", "snapshot__campaign")

    def about(self, run: ArtifactDetection) -> str:
        return f"{set_name(run)} · {about(run)}"

    def href(self, run: ArtifactDetection) -> str:
        return reverse("detection", args=[run.public_id])

    def progress(self, run: ArtifactDetection) -> str:
        if run.result is not None:
            return _("clue found") if results(run.result).is_leaking else _("no clue found")
        return _("%s of %s detectors") % (run.done, run.total) if run.total else ""


register(ArtifactDetection, DetectionWords())
