"""Execute releases and their previews."""

import json
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from django.db import transaction

from collection.core.people import People, people_of
from corpora import drawing, selectors
from corpora.building import bundling
from corpora.building.bundling import about_file
from corpora.building.facts import change_facts, plan_facts, release_facts, repeat_facts
from corpora.building.files import Drafts, kind_of, written
from corpora.building.groups import arranged
from corpora.building.leaks import leak_facts, leaks_of
from corpora.building.naming import names_of
from corpora.building.plan import Plan, planned
from corpora.building.rows import Rows, rows_of
from corpora.building.versioning import checked_version, proposed_version
from corpora.core.bundle import codec
from corpora.core.bundle.canary import guid_of
from corpora.core.bundle.documents import documents
from corpora.core.bundle.layout import (
    BLIND,
    COMMITMENTS,
    DEV,
    FULL,
    INDEX,
    LEAKS,
    jsonl,
)
from corpora.core.bundle.manifest import Manifest
from corpora.core.changes import differences
from corpora.core.publish import Publisher
from corpora.models import PublishedFile, Release, ReleaseFile, ReleasePlan, ReleasePreview
from validation.services.golds import note_published
from winoplatform.db import locks
from winoplatform.runs.attempts import Attempt

ONE_AT_A_TIME = "release"
"""What one release decides about blind questions, the next one has to know."""


def release(attempt: Attempt[Release]) -> None:
    """Build a release's files; nothing is published or decided before the last statement.

    Only curators may read the labels of the blind test, the index (which published row is which
    question) and the openings of the commitments.
    """
    run = attempt.run
    with (
        _turn(attempt),
        _rows(attempt, Publisher(bytes.fromhex(run.key))) as rows,
        written(rows, progress=lambda n: attempt.report(n, activity="writing the files")) as drafts,
    ):
        attempt.note(previous=selectors.newest_release(run.snapshot.campaign))
        bundling.note_people(attempt, _people(run, drafts), of=run.snapshot.campaign.name)
        changes = differences(_index(run.previous), drafts.files[INDEX].lines())
        attempt.note(version=checked_version(run, changes))
        leaks = leaks_of(drafts, name=run.name, previous=run.previous)
        facts = _facts(run, rows.plan, drafts) | {
            "leaks": leak_facts(leaks),
            "changes": change_facts(run.previous, changes),
        }
        attempt.report(drafts.files[INDEX].rows, activity="writing tables and documents")
        facts |= release_facts(run)
        canary = guid_of(facts["name"], facts["built_at"])
        files = [
            *bundling.stored_data(run, drafts, canary=canary),
            bundling.document(run, LEAKS, leaks.to_json()),
        ]
        facts |= {
            "canary": canary,
            "files": [
                about_file(file, kind=kind_of(file.name)) for file in files if not file.restricted
            ],
            "commitments": drafts.files[COMMITMENTS].rows,
        }
        # In the order of manifest.json, so that every reader of it makes the same documents.
        manifest = codec.from_json(Manifest, json.dumps(facts, sort_keys=True))
        texts = documents(manifest).items()
        files += [bundling.document(run, name, text) for name, text in texts]
        files, digest = bundling.bundled(run, files)
        _finish(attempt, rows.plan, drafts, files, digest)


@contextmanager
def _turn(attempt: Attempt[Release]) -> Iterator[None]:
    """Wait until no other release is built, and let none begin in the block."""
    while True:
        with locks.held(ONE_AT_A_TIME) as ours:
            if ours:
                yield
                return
        attempt.report(0, activity="waiting for another release")
        time.sleep(1)


def preview(attempt: Attempt[ReleasePreview]) -> None:
    """Compute the facts of the release that would be built, with another key."""
    run = attempt.run
    previous = selectors.newest_release(run.snapshot.campaign)
    with (
        _rows(attempt, Publisher(secrets.token_bytes(32))) as rows,
        written(rows, progress=lambda n: attempt.report(n, activity="counting")) as drafts,
    ):
        changes = differences(_index(previous), drafts.files[INDEX].lines())
        facts = _facts(run, rows.plan, drafts) | {
            "previous": previous and previous.name,
            "changes": change_facts(previous, changes),
            "version": proposed_version(previous, changes),
            "leaks": leak_facts(leaks_of(drafts, name="preview", previous=previous)),
        }
    attempt.finish(facts=facts, done=run.snapshot.n_questions)


@contextmanager
def _rows(attempt: Attempt[Any], publisher: Publisher) -> Iterator[Rows]:
    run: ReleasePlan = attempt.run
    attempt.report(0, total=run.snapshot.n_questions, activity="sorting the questions")

    def progress(activity: str, done: int) -> None:
        attempt.report(done, activity=activity)

    with (
        arranged(run, publisher) as groups,
        planned(run, groups, progress=progress) as plan,
    ):
        yield rows_of(
            plan,
            publisher,
            names=names_of(run, publisher),
            is_filtered=run.selection is not None,
            at=run.snapshot.created_at,
            chosen=run.snapshot.campaign.people_chosen,
        )


def _people(run: ReleasePlan, drafts: Drafts) -> People:
    """Return who worked on the questions of the release."""
    chosen = run.snapshot.campaign.people_chosen
    return people_of(writers=drafts.writers, validators=drafts.validators, chosen=chosen)


def _facts(run: ReleasePlan, plan: Plan, drafts: Drafts) -> dict[str, Any]:
    """Return what a preview and a release have in common."""
    return plan_facts(run, drafts, draw_tables=plan.draw_tables()) | {
        "people": asdict(_people(run, drafts)),
        "left_out": plan.left_out(),
        "repeats": repeat_facts(drafts),
    }


def _index(release: Release | None) -> Iterator[bytes]:
    if release is not None:
        with selectors.open_index(release) as file:
            yield from file


@transaction.atomic
def _finish(
    attempt: Attempt[Release], plan: Plan, drafts: Drafts, files: list[PublishedFile], digest: str
) -> None:
    """Publish: the files, what is decided about blind questions, and which sentences are public."""
    drawing.take_turns()
    ReleaseFile.objects.bulk_create(files)  # type: ignore[arg-type]  # of this model
    plan.store_decisions(attempt.run.pk)
    answered = (s for name in (FULL, DEV) for s in _sentences(drafts.files[jsonl(name)].lines()))
    note_published(answered, _sentences(drafts.files[jsonl(BLIND)].lines()))
    attempt.finish(content_hash=digest, done=attempt.run.snapshot.n_questions)


def _sentences(lines: Iterable[bytes]) -> Iterator[str]:
    return (json.loads(line)["sentence"] for line in lines)
