"""CHANGELOG.md and CITATION.cff."""

from collections.abc import Iterator
from typing import Any

from collection.core.people import sentences
from corpora.core.bundle import layout, licences
from corpora.core.bundle.manifest import Changes, Manifest
from corpora.core.bundle.wording import code, markdown, number, one_line, table, yaml_text

_RULE = (
    "A change of the first number means that figures on dev or test are not comparable with those "
    "of earlier versions; of the second, that questions were added or the training set changed."
)


def changelog(manifest: Manifest) -> str:
    """Return CHANGELOG.md, the newest release first."""
    title = f"# Changes of {markdown(manifest.title)}"
    newest = _entry(manifest.version, manifest.name, manifest.built_at, manifest.changes, None)
    earlier = (
        _entry(release.version, release.name, release.built_at, release.changes, release.retracted)
        for release in manifest.earlier
    )
    return "\n\n".join([title, _RULE, newest, *earlier]) + "\n"


def _entry(
    version: str, name: str, built_at: str, changes: Changes | None, retracted: str | None
) -> str:
    is_named = name != version
    which = f"Release {code(name)}." if is_named else "A release for members alone."
    parts = [f"## {version} ({built_at[:10]})", which]
    if retracted is not None:
        parts.append(f"**Retracted**: {markdown(retracted)}")
    if changes is None:
        parts.append("The first release.")
    else:
        rows = [*_rows(changes)]
        head = (f"since {changes.since}", "added", "removed", "changed")
        parts.append(table(head, rows) if rows else f"No question differs from {changes.since}.")
    return "\n\n".join(parts)


def _rows(changes: Changes) -> Iterator[tuple[str, ...]]:
    stems = [stem for stem in layout.STEMS if stem in changes.splits]
    others = sorted(changes.splits.keys() - set(stems))
    for stem in (*stems, *others):
        change = changes.splits[stem]
        if change.added or change.removed or change.changed:
            yield code(stem), number(change.added), number(change.removed), number(change.changed)


def citation(manifest: Manifest) -> str:
    """Return CITATION.cff; a licence without an SPDX identifier that we know is left out.

    Authors are entities, since a name's parts cannot be told from its text.
    """
    licence = licences.spdx_licence(manifest.licence)
    names = [name for name in map(one_line, manifest.authors) if name]
    about: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use this data set, please cite it as below.",
        "type": "dataset",
        "title": one_line(manifest.title) or manifest.name,
        "authors": [{"name": name} for name in dict.fromkeys(names)] or [{"name": "Unknown"}],
        "version": manifest.version,
        "date-released": manifest.built_at[:10],
        "keywords": ["winograd schema", "coreference resolution", "commonsense reasoning"],
    }
    if manifest.people.origins:
        about["abstract"] = " ".join(sentences(manifest.people))
    if licence is not None:
        about["license"] = licence.spdx
    return yaml_text(about)
