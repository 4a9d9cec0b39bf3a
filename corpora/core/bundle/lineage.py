"""What a release was made from, and by what: the terms of PROV-O in its Croissant description."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from collection.core.people import People, PeopleOrigin, marks
from corpora.core.bundle import layout
from corpora.core.bundle.collection import has_votes, validating, writing
from corpora.core.bundle.datasheet import blind_lines, fresh_models
from corpora.core.bundle.filter_facts import settings_of
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.wording import count, number, one_line, were


def lineage(manifest: Manifest) -> dict[str, Any]:
    """Return ``prov:wasDerivedFrom`` and ``prov:wasGeneratedBy``; neither is ever empty."""
    return {
        "prov:wasDerivedFrom": [*_sources(manifest)],
        "prov:wasGeneratedBy": [*_activities(manifest)],
    }


def entity(label: str, description: str, *, sha256: str | None = None) -> dict[str, Any]:
    """Return an entity of PROV-O; a hash makes its name."""
    name = {"@id": f"urn:sha256:{sha256}"} if sha256 else {}
    return {
        "@type": "prov:Entity",
        **name,
        "prov:label": one_line(label),
        "description": one_line(description),
    }


def activity(label: str, sentences: Iterable[str], **terms: Any) -> dict[str, Any]:
    """Return an activity of PROV-O; *terms* are further terms, those without a value left out."""
    return {
        "@type": "prov:Activity",
        "prov:label": label,
        "description": " ".join(map(one_line, sentences)),
        **{f"prov:{term}": value for term, value in terms.items() if value},
    }


def agents(origins: Iterable[str], platforms: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Return the people behind some work as agents of PROV-O, one for each origin."""
    people = []
    for origin in origins:
        named = platforms if origin == PeopleOrigin.CROWD else ()
        (label,) = marks(People(origins=(origin,), platforms=named))
        is_program = origin == PeopleOrigin.SIMULATED
        kind = "prov:SoftwareAgent" if is_program else "prov:Agent"
        people.append({"@type": kind, "prov:label": one_line(label)})
    return people


def software(versions: Mapping[str, str]) -> dict[str, Any]:
    """Return the platform as an agent of PROV-O, with the versions that a release records."""
    parts = ", ".join(f"{one_line(name)} {one_line(text)}" for name, text in versions.items())
    return {
        "@type": "prov:SoftwareAgent",
        "prov:label": "WinoPlatform",
        "description": f"Versions: {parts or 'unknown'}.",
    }


def _sources(manifest: Manifest) -> Iterator[dict[str, Any]]:
    snapshot, facts = manifest.snapshot, manifest.collection
    yield entity(
        f"Snapshot of the campaign {manifest.campaign}",
        f"{count(snapshot.questions, 'question')}, with {count(snapshot.pairs, 'complete pair')}. "
        "The name is the hash of the snapshot's file, which is not published.",
        sha256=snapshot.questions_sha256,
    )
    imported = facts.questions - facts.written
    if imported:
        yield entity(
            "Published set",
            f"{count(imported, 'question')} of training and dev {were(imported)} imported from a "
            "published set. The release does not record which one.",
        )


def _activities(manifest: Manifest) -> Iterator[dict[str, Any]]:
    facts, people = manifest.collection, manifest.people
    if facts.written:
        who = agents(people.writers or people.origins, people.platforms)
        yield activity("Writing", writing(facts), wasAssociatedWith=who)
    else:
        yield activity("Collection", writing(facts))
    if has_votes(facts):
        who = agents(people.validators or people.origins, people.platforms)
        yield activity("Validation", validating(facts), wasAssociatedWith=who)
    elif facts.questions:
        yield activity("Validation", validating(facts))
    if manifest.selection is not None:
        yield _filtering(manifest.selection)
    yield activity(
        "Release",
        [*blind_lines(manifest), *_left_out(manifest)],
        startedAtTime=manifest.built_at,
        wasAssociatedWith=[software(manifest.software)],
    )


def _filtering(selection: Mapping[str, Any]) -> dict[str, Any]:
    settings = (f"{name} = {one_line(text)}" for name, text in settings_of(selection))
    encoding = selection.get("encoding")
    sentences = (
        f"{layout.DEBIASED} and dev have what a filter kept. Settings: {'; '.join(settings)}.",
        f"Fresh linear models before: {fresh_models(selection, 'before')}",
        f"After: {fresh_models(selection, 'after')}",
    )
    return activity("Filter", sentences, used=_encoder(encoding))


def _encoder(encoding: Any) -> list[dict[str, Any]]:
    if not isinstance(encoding, Mapping) or not encoding.get("encoder"):
        return []
    weights = encoding.get("weights_sha256")
    said = "The encoder whose features the filter read. "
    named = "Its name is the hash of its weights." if weights else "The hash is not recorded."
    return [entity(str(encoding["encoder"]), said + named, sha256=weights)]


def _left_out(manifest: Manifest) -> Iterator[str]:
    reasons = {reason: n for reason, n in manifest.left_out.items() if n}
    if reasons:
        parts = (f"{reason.replace('_', ' ')}: {number(n)}" for reason, n in reasons.items())
        yield f"Questions of the snapshot that are in no file, by reason: {'; '.join(parts)}."
    else:
        yield "No question of the snapshot was left out."
