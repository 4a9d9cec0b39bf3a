"""Files of questions: a list as its page shows it, and the openings of a release."""

import shutil
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from django.db.models import Exists, F, Func, OuterRef, QuerySet, TextField, Value
from django.http import StreamingHttpResponse

from collection.models import Campaign
from corpora import selectors
from corpora.core.bundle.layout import INDEX, OPENING
from corpora.models import DrawTable, Release
from evaluation.core.verify.checksums import DRAWS, ITEMS
from evaluation.core.verify.release import FEATURES
from filtering.models import FilterRun
from validation.models import GoldQuestion, QuestionFacts
from winoplatform.api.parsing import CONTENT_TYPES, CSV, JSONL
from winoplatform.artifacts import store
from winoplatform.db.copying import in_blocks, streamed
from winoplatform.errors import NotFound
from winoplatform.exporting.columns import Column, Kind, csv_lines, json_lines
from winoplatform.exporting.spreadsheets import saved_as
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


LINES = {JSONL: json_lines, CSV: csv_lines}
_IN_USE = GoldQuestion.objects.filter(question=OuterRef("question"), retired_at=None)
_ALWAYS = {
    "question": Column(F("question__public_id")),
    "twin": Column(F("question__twin__public_id")),
    "sentence": Column(F("question__sentence"), Kind.TYPED),
}
_COLUMNS: Mapping[str, Mapping[str, Column]] = {
    "verdict": {"verdict": Column(F("state"))},
    "reasons": {
        "reasons": Column(
            Func(F("reasons"), Value(" "), function="array_to_string", output_field=TextField())
        )
    },
    "agreement": {
        "votes_for_answer": Column(F("n_right"), Kind.INTEGER),
        "votes": Column(F("n_votes"), Kind.INTEGER),
    },
    "domain": {"domain": Column(F("domain"))},
    "anchor": {"anchor": Column(F("question__twin__anchor"), Kind.TYPED)},
    "options": {
        "option1": Column(F("question__twin__option1"), Kind.TYPED),
        "option2": Column(F("question__twin__option2"), Kind.TYPED),
    },
    "answer": {"answer": Column(F("question__answer"), Kind.INTEGER)},
    "writer": {"writer": Column(F("author__public_id"), nullable=True)},
    "gold": {"gold": Column(Exists(_IN_USE), Kind.FLAG)},
    "created": {"created_at": Column(F("question__created_at"), Kind.TIME)},
}


def question_file(
    rows: "QuerySet[QuestionFacts]", columns: Sequence[str], *, campaign: Campaign, form: str
) -> StreamingHttpResponse:
    """Stream *rows* as a file, written while it is read; it holds answers, so for curators.

    Raises
    ------
    DomainError
        ``not_found`` for another form than jsonl and csv.
    """
    if form not in LINES:
        raise NotFound("file")
    shown = dict(_ALWAYS)
    for name in columns:
        shown |= _COLUMNS.get(name, {})
    content = _content(LINES[form](rows, shown))
    return saved_as(f"questions-{campaign.slug}.{form}", content, content_type=CONTENT_TYPES[form])


def _content(statement: str) -> Iterator[bytes]:
    """Yield the file; the transaction ends with it, also if the reader breaks off."""
    rows: Generator[bytes, None, None] = streamed("SELECT 1", statement)
    with closing(rows):
        next(rows)
        yield from in_blocks(rows)
