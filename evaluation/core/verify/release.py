"""All checks of a release."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from corpora.core.bundle.layout import INDEX, MANIFEST, OPENING, SUMS
from corpora.core.bundle.manifest import EARLIER, FORMAT
from corpora.core.bundle.reading import Bundle
from evaluation.core.verify.checksums import (
    DRAWS,
    ITEMS,
    check_draws,
    check_files,
    check_opening,
    check_sums,
)
from evaluation.core.verify.documents import check_claims
from evaluation.core.verify.filtering import check_filter
from evaluation.core.verify.findings import UNREADABLE, Finding, wrong
from evaluation.core.verify.recomputing import (
    check_commitments,
    check_splits,
    check_tables,
    check_votes,
)
from evaluation.core.verify.texts import check_text

FEATURES = "features.npy"
Check = Callable[[], Iterator[Finding]]
CHECKS = (
    check_files,
    check_tables,
    check_splits,
    check_votes,
    check_commitments,
    check_claims,
)


def verify(
    bundle: Bundle, *, opened: Path | None = None, text: Path | None = None
) -> Iterator[Finding]:
    """Recompute what a release says from its files.

    Parameters
    ----------
    bundle : Bundle
    opened : Path, optional
        The folder of the curators' files, which open the commitments. Those that are there are
        checked: ``opening.jsonl``; ``questions.jsonl``, ``index.jsonl`` and ``draws/``;
        ``questions.jsonl`` and ``features.npy``, with which the filter run is repeated.
    text : Path, optional
        A methods section that a paper kit made, see `texts.check_text`.

    Yields
    ------
    Finding
        In the order of the checks; what a check cannot read is a finding too.
    """
    yield from _guarded(SUMS, partial(check_sums, bundle))
    try:
        manifest = bundle.document(MANIFEST)
    except UNREADABLE as error:
        yield wrong(MANIFEST, f"it cannot be read: {error}")
        return
    if manifest.get("format") not in (FORMAT, *EARLIER):
        message = f"its format is {manifest.get('format')!r:.20}, and this version checks {FORMAT}"
        yield wrong(MANIFEST, f"{message}: use the version of the platform that made the release")
        return
    for check in CHECKS:
        yield from _guarded(MANIFEST, partial(check, bundle, manifest))
    if text is not None:
        yield from _guarded(text.name, partial(check_text, bundle, manifest, text=text))
    if opened is None:
        return
    there = {path.name for path in opened.iterdir()}
    if OPENING in there:
        yield from _guarded(OPENING, partial(check_opening, bundle, opened / OPENING))
    if {ITEMS, INDEX, DRAWS} <= there:
        yield from _guarded(DRAWS, partial(check_draws, bundle, manifest, opened))
    if {ITEMS, FEATURES} <= there:
        files = {"questions": opened / ITEMS, "features": opened / FEATURES}
        yield from _guarded(FEATURES, partial(check_filter, manifest, **files))


def _guarded(place: str, check: Check) -> Iterator[Finding]:
    """Run a check; what it cannot read, for example since a key is missing, is wrong."""
    try:
        yield from check()
    except UNREADABLE as error:
        yield wrong(place, f"it cannot be checked: {type(error).__name__}: {error}")
