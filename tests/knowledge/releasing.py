"""Knowledge sets that are released, and the files of their releases."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone

from corpora.exports import write_release
from knowledge import services
from knowledge.models import (
    KnowledgeRelease,
    KnowledgeSet,
)
from panels.models import Enrolment, Panel, PanelSeat
from panels.services import change_panel_status
from tests.factories import UserFactory
from tests.filtering.stages import carried
from tests.knowledge import annotating
from winoplatform.artifacts import store

Files = dict[str, bytes]
Choose = Callable[[PanelSeat], bool]


def a_set(n_pairs: int = 2, name: str = "small") -> KnowledgeSet:
    """A set of some pairs about one formalised question."""
    of = annotating.knowledge_set(name)
    question = annotating.formalisation(of, annotating.formula(of))
    for number in range(n_pairs):
        annotating.pair(of, number, formalisation=question)
    return of


def answered(of: Panel, choose: Choose) -> None:
    """Let six people answer about every sentence, and close the validation."""
    now = timezone.now()
    for enrolment in Enrolment.objects.filter(panel=of):
        worker = UserFactory()
        seats = PanelSeat.objects.filter(panel=of, number=enrolment.number)
        for seat in seats.select_related("item"):
            seat.worker, seat.option = worker, 1 if choose(seat) else 2
            seat.claimed_at, seat.answered_at = now - timedelta(seconds=30), now
            seat.leased_until = now
            seat.save()
    change_panel_status(panel=of, status="closed")


def validated(n_pairs: int = 2, *, wrong: int = 0, name: str = "small") -> KnowledgeSet:
    """A set whose annotators gave every label, but for *wrong* of six about one false version."""
    of = a_set(n_pairs, name)
    validation = services.begin_validation(knowledge_set=of, by=None, reward=1)
    doubted = of.sentences.filter(of__isnull=False).earliest("pk")

    def choose(seat: PanelSeat) -> bool:
        is_wrong = seat.item.source_id == str(doubted.public_id) and seat.number <= wrong
        return (seat.item.item.answer == 1) is not is_wrong

    answered(validation, choose)
    return of


def asked(of: KnowledgeSet, name: str, **fields: Any) -> KnowledgeRelease:
    """A waiting release; its coins follow from its name, so that tests end alike."""
    release = services.build_knowledge_release(knowledge_set=of, name=name, by=None, **fields)
    release.key = hashlib.sha256(name.encode()).hexdigest()
    release.save(update_fields=["key"])
    return release


def released(of: KnowledgeSet, name: str = "first", **fields: Any) -> KnowledgeRelease:
    release: KnowledgeRelease = carried(asked(of, name, **fields))
    return release


def files(release: KnowledgeRelease, *, restricted: bool = False) -> Files:
    """The public files by name, without the archive."""
    rows = release.files.select_related("artifact")
    found = {}
    for row in rows if restricted else rows.filter(restricted=False):
        if not row.name.endswith(".zip"):
            with store.open_artifact(row.artifact) as file:
                found[row.name] = file.read()
    return found


def archive(release: KnowledgeRelease) -> bytes:
    with store.open_artifact(release.files.get(name=f"{release.name}.zip").artifact) as file:
        return file.read()


def exported(release: KnowledgeRelease, folder: Path) -> Path:
    return write_release(release=release, target=folder / f"{release.name}.zip")[0]


def lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.decode().splitlines()]


def unpacked(content: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name.partition("/")[2]: packed.read(name) for name in packed.namelist()}


def packed(files: Files, *, top: str = "first") -> bytes:
    """A zip file of files, whatever they are."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(f"{top}/{name}", content)
    return sink.getvalue()
