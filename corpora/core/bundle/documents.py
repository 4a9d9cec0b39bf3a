"""Every document of a release, made from its manifest alone."""

from __future__ import annotations

from corpora.core.bundle import layout
from corpora.core.bundle.card import card
from corpora.core.bundle.changelog import changelog
from corpora.core.bundle.citation import citation
from corpora.core.bundle.croissant import croissant
from corpora.core.bundle.harness import stand_alone, task
from corpora.core.bundle.manifest import Manifest


def documents(manifest: Manifest) -> dict[str, str]:
    """Return the texts by file name; equal manifests give equal texts.

    None of these files is listed in the manifest, and ``SHA256SUMS`` is not among them.
    """
    return {
        layout.README: card(manifest),
        layout.CHANGELOG: changelog(manifest),
        layout.CITATION: citation(manifest),
        layout.MANIFEST: manifest.to_json(),
        layout.CROISSANT: croissant(manifest),
        layout.SCORER: stand_alone("score.py"),
        layout.harness_task(manifest.name): task(manifest),
        layout.HARNESS_CODE: stand_alone("utils.py"),
    }
