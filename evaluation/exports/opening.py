"""Write the curators' files that open a release's commitments."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from corpora import selectors
from corpora.core.bundle.layout import INDEX, OPENING
from corpora.models import DrawTable, Release
from evaluation.core.verify.checksums import DRAWS, ITEMS
from evaluation.core.verify.release import FEATURES
from filtering.models import FilterRun
from winoplatform.artifacts import store
from winoplatform.models import Artifact
from winoplatform.processes import private


def write_opening(*, release: Release, folder: Path) -> list[Path]:
    """Write what `manage.py verify --opened` reads; it contains the blind labels.

    The features are written if the release is filtered and every question has a row in them.
    """
    private.make_folder(folder / DRAWS)
    written = []
    for name, artifact in _artifacts(release):
        with store.open_artifact(artifact) as source, private.create(folder / name) as sink:
            shutil.copyfileobj(source, sink)
        written.append(folder / name)
    committed = [draw["sha256"] for draw in selectors.read_manifest(release)["draws"]]
    for table in DrawTable.objects.filter(sha256__in=committed):
        path = folder / DRAWS / f"{table.sha256}.tsv"
        rows = table.draws.values_list("twin__public_id", "split")
        with private.create(path) as sink:
            sink.writelines(table.lines((str(twin), split) for twin, split in rows))
        written.append(path)
    return written


def _artifacts(release: Release) -> Iterator[tuple[str, Artifact]]:
    for name in (OPENING, INDEX):
        yield name, release.files.select_related("artifact").get(name=name).artifact
    assert release.snapshot.questions is not None
    yield ITEMS, release.snapshot.questions
    run = FilterRun.objects.filter(selection=release.selection, selection__isnull=False).first()
    if run is not None and run.encoding.tuning is None and run.encoding.matrix is not None:
        yield FEATURES, run.encoding.matrix
