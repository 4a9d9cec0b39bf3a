"""Send a copy of a release in steps: the place, each file, and the end that makes it visible."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, TypeVar

from publishing import selectors
from publishing.adapters import adapter_for
from publishing.adapters.protocol import Adapter, Away, Closed, Described
from publishing.core.copies import Amendment, Outgoing
from publishing.models import Publication, PublicationStep
from winoplatform.errors import DomainError
from winoplatform.runs import kinds
from winoplatform.runs.attempts import Attempt, steps_done

log = logging.getLogger(__name__)
T = TypeVar("T")
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds before each repetition of a step, unless the target asks for others."""
LONGEST_PAUSE = 120.0


class Stages:
    """The steps of one attempt: those that are recorded are not repeated."""

    def __init__(self, attempt: Attempt[Publication], adapter: Adapter) -> None:
        self.attempt, self.adapter = attempt, adapter
        self.recorded: list[Any] = steps_done(attempt.run.steps.all())
        self.number = 0

    def do(self, what: str, act: Callable[[], Any]) -> Any:
        """Do a step and record its result, a dict; return the recorded one."""
        self.number += 1
        if self.number <= len(self.recorded):
            return self.recorded[self.number - 1].result
        self.attempt.pulse(what)
        begun = time.monotonic()
        result = self.repeated(act) or {}
        step = PublicationStep(
            run=self.attempt.run,
            number=self.number,
            what=what,
            result=result,
            seconds=time.monotonic() - begun,
        )
        self.attempt.record(step, done=self.number, activity=what)
        return result

    def repeated(self, act: Callable[[], T]) -> T:
        """Do what may be repeated, with pauses while the target does not answer."""
        for pause in PAUSES:
            try:
                return act()
            except Away as away:
                log.warning("%s: %s %s", self.attempt.run, self.adapter.title, away.what)
                self.wait(pause if away.wait is None else min(away.wait, LONGEST_PAUSE))
        try:
            return act()
        except Away as away:
            raise DomainError(
                "target_away",
                f"{self.adapter.title} {away.what}, {len(PAUSES) + 1} times. Resume it later; "
                "what was sent is not sent again.",
                status=503,
            ) from None

    def wait(self, seconds: float) -> None:
        """Wait, and end at once if the run is cancelled."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.attempt.pulse("waiting to try again")
            time.sleep(min(left, 1.0))


def publish(attempt: Attempt[Publication]) -> None:
    """Send a copy, or what changed of it; a later attempt goes on after the last recorded step."""
    run = attempt.run
    place = run.place
    with adapter_for(
        place.target,
        repository=place.repository,
        endpoint=run.endpoint,
        token=selectors.token_of(place),
    ) as adapter:
        _refuse_other_endpoint(run)
        closed, files = _sent(run, Stages(attempt, adapter))
    attempt.finish(**asdict(closed), sent=[file.facts for file in files])


def _sent(run: Publication, stages: Stages) -> tuple[Closed, list[Outgoing]]:
    adapter, about = stages.adapter, _described(run)
    planned = _files(run, run.says)
    stages.attempt.report(len(stages.recorded), total=len(planned) + 2)
    if not stages.recorded:
        selectors.refuse_unpublishable(run.release, run.place)
    place = stages.do("the place", lambda: adapter.open(about, planned))
    # The copy's own documents name the DOI, which only the place knows.
    files = _files(run, replace(run.says, doi=run.says.doi or place["doi"]))
    for file in files:
        stages.do(file.name, partial(adapter.send, place, file))
    closed = stages.do("the end", lambda: asdict(_closed(run, stages, about, place, files)))
    doi = closed["doi"] or run.says.doi
    return Closed(**{**closed, "doi": doi}), files


def _closed(
    run: Publication, stages: Stages, about: Described, place: Any, files: Sequence[Outgoing]
) -> Closed:
    """Make the copy visible, unless something has begun to refuse it.

    What an attempt made visible before it died is recorded all the same: it is outside.
    """
    run.release.refresh_from_db()
    try:
        selectors.refuse_unpublishable(run.release, run.place)
    except DomainError:
        visible = stages.adapter.visible(place, files)
        if visible is None:
            raise
        return visible
    return stages.adapter.close(about, place, files)


def _files(run: Publication, told: Amendment) -> list[Outgoing]:
    return selectors.files_of_copy(run.release, run.place, told)


def _described(run: Publication) -> Described:
    release, place = run.release, run.place
    earlier = selectors.earlier_record(release, place)
    own = selectors.finished_copy(release, place)
    return Described(
        name=release.name,
        version=release.version,
        content_hash=release.content_hash or "",
        manifest=selectors.manifest_of(release),
        told=run.says,
        earlier=earlier.revision if earlier else "",
        own=own.revision if own else "",
        known=selectors.names_there(release, place),
    )


def _refuse_other_endpoint(run: Publication) -> None:
    """Refuse to send a half elsewhere: the operator has set another address since."""
    if selectors.endpoint_of(run.place) != run.endpoint:
        raise DomainError(
            "other_endpoint",
            f"This publication began at {run.endpoint}, and another address is set now. Publish "
            "the release again.",
        )


kinds.register(Publication, publish)
