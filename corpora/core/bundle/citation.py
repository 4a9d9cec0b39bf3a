"""CITATION.cff, version 1.2.0."""

from __future__ import annotations

from typing import Any

from collection.core.people import sentences
from corpora.core.bundle import licences
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.wording import one_line, yaml_text


def citation(manifest: Manifest) -> str:
    """Return CITATION.cff; a licence without an SPDX identifier that we know is left out.

    Authors are entities, since a name's parts cannot be told from its text.
    """
    licence = licences.known(manifest.licence)
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
