"""croissant.json: Croissant 1.1 with the fields of its responsible-AI extension."""

import json
from typing import Any

from collection.core.people import People, PeopleOrigin, sentences
from corpora.core.bundle import layout, licences
from corpora.core.bundle.collection import NAMES, has_votes, validating, votes_per_question, writing
from corpora.core.bundle.datasheet import LIMITS, NOT_FOR
from corpora.core.bundle.facts import Collection, Figure, FileFacts
from corpora.core.bundle.manifest import Manifest, has_pairs
from corpora.core.bundle.wording import count, one_line

CONFORMS_TO = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")
_OURS = (
    "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject",
    "fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key",
    "md5", "parentField", "path", "recordSet", "references", "regex", "repeated", "replace",
    "samplingRate", "separator", "source", "subField", "transform", "arrayShape",
)  # fmt: skip
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{name: f"cr:{name}" for name in _OURS},
}
_FORMATS = {
    ".parquet": "application/x-parquet",
    ".jsonl": "application/jsonlines",
    ".json": "application/json",
}


def croissant(manifest: Manifest) -> str:
    """Return croissant.json: each file with its hash, and a record set over each Parquet file."""
    about = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": list(CONFORMS_TO),
        "name": one_line(manifest.title) or manifest.name,
        "alternateName": manifest.name,
        "description": _description(manifest),
        "version": manifest.version,
        "datePublished": manifest.built_at[:10],
        "inLanguage": manifest.language,
        "isLiveDataset": False,
        "citeAs": _citation(manifest),
        "license": _licence(manifest.licence),
        "creator": [{"@type": "Organization", "name": name} for name in _authors(manifest)],
        **responsible_ai(manifest),
        "distribution": [_file(facts) for facts in manifest.files],
        "recordSet": [_records(stem) for stem in manifest.stems],
    }
    return json.dumps(about, indent=2, ensure_ascii=False) + "\n"


def responsible_ai(manifest: Manifest) -> dict[str, Any]:
    """Return the fields of the extension that the facts can fill."""
    facts, stated = manifest.collection, manifest.statements
    times = [month for month in (facts.first_written, facts.last_written) if month]
    filled = {
        "dataCollection": _with_people(" ".join(map(one_line, writing(facts))), manifest),
        "dataCollectionType": _collection_types(manifest.people),
        "dataCollectionTimeframe": list(dict.fromkeys(times)),
        "dataAnnotationProtocol": [*_protocol(facts), *map(one_line, validating(facts))],
        "dataAnnotationPlatform": ["WinoPlatform", *manifest.people.platforms],
        "dataAnnotationAnalysis": [
            f"{one_line(name)}: {figure.value:.3f}{_interval(figure)} (n = {figure.n})"
            for name, figure in sorted(manifest.agreement.items())
            if figure.value is not None
        ],
        "annotationsPerItem": votes_per_question(facts),
        "annotatorDemographics": [
            *sentences(manifest.people),
            one_line(stated.population) or "Population: not stated.",
        ],
        "dataManipulationProtocol": "The order of the options and the ids are random; twins have "
        "the same order.",
        "dataPreprocessingProtocol": [_filter(manifest)],
        "dataUseCases": ["Evaluation and training of models that resolve references.", NOT_FOR],
        "dataBiases": [one_line(text) for text in manifest.warnings],
        "dataLimitations": [one_line(text) for text in (*LIMITS, *manifest.limits)],
        "personalSensitiveInformation": [
            *_pseudonyms(facts),
            f"Consent: {one_line(stated.consent) or 'not stated.'}",
            f"Ethics review: {one_line(stated.ethics_review) or 'not stated.'}",
        ],
        "dataReleaseMaintenancePlan": "A release is never changed; see CHANGELOG.md. Contact: "
        f"{one_line(stated.contact) or 'not stated.'}",
    }
    return {f"rai:{name}": value for name, value in filled.items() if value}


def _pseudonyms(facts: Collection) -> tuple[str, ...]:
    if facts.names is None:
        return ("Writers and validators have pseudonyms that no other release uses.",)
    return ("Writers and validators have pseudonyms.", *NAMES)


def _protocol(facts: Collection) -> list[str]:
    if not has_votes(facts):
        return []
    return [
        "Validators answer from the context near the blank, then from the whole sentence, and "
        "say whether it is ambiguous."
    ]


def _with_people(text: str, manifest: Manifest) -> str:
    """Return a text, followed by who the people are."""
    return " ".join((text, *sentences(manifest.people)))


def _collection_types(people: People) -> list[str]:
    """Return how texts were collected, in the values that the extension recommends."""
    of = {PeopleOrigin.SIMULATED: "Others", PeopleOrigin.IMPORTED: "Secondary Data analysis"}
    types = (of.get(PeopleOrigin(writer), "Manual Human Curator") for writer in people.writers)
    return list(dict.fromkeys(types))


def _interval(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f", 95 % interval {figure.low:.3f} to {figure.high:.3f}"


def _filter(manifest: Manifest) -> str:
    if manifest.selection is None:
        return "None."
    return f"{layout.DEBIASED} has what a filter kept; its settings are in {layout.MANIFEST}."


def _description(manifest: Manifest) -> str:
    sizes = ", ".join(
        f"{stem} {count(manifest.splits[stem].questions, 'question')}" for stem in manifest.stems
    )
    what = (
        "Pairs of sentences with one blank, two options and opposite answers, as in WinoGrande"
        if has_pairs(manifest)
        else "Sentences with one blank and two options, as in WinoGrande, each without its twin"
    )
    return _with_people(
        f"{what}. {sizes}. The labels of {layout.BLIND} are secret.",
        manifest,
    )


def _citation(manifest: Manifest) -> str:
    authors = "; ".join(_authors(manifest))
    title = one_line(manifest.title) or manifest.name
    return f"{authors}. {title}, version {manifest.version}. {manifest.built_at[:4]}."


def _authors(manifest: Manifest) -> list[str]:
    return [name for name in map(one_line, manifest.authors) if name] or ["Unknown"]


def _licence(text: str) -> str:
    licence = licences.spdx_licence(text)
    return licence.url if licence else one_line(text) or "Unknown"


def _file(facts: FileFacts) -> dict[str, Any]:
    ending = facts.name[facts.name.rfind(".") :]
    return {
        "@type": "cr:FileObject",
        "@id": facts.name,
        "name": facts.name,
        "contentUrl": facts.name,
        "contentSize": f"{facts.size} B",
        "encodingFormat": _FORMATS.get(ending, "text/plain"),
        "sha256": facts.sha256,
    }


def _records(stem: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": stem,
        "name": stem,
        "key": {"@id": f"{stem}/qID"},
        "field": [_field(stem, column) for column in layout.COLUMNS],
    }


def _field(stem: str, column: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{stem}/{column}",
        "name": column,
        "dataType": "sc:Text",
        "source": {
            "fileObject": {"@id": layout.parquet(stem)},
            "extract": {"column": column},
        },
    }
