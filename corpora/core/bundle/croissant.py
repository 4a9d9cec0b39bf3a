"""croissant.json: Croissant 1.1 with its responsible-AI fields and the provenance of PROV-O."""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from collection.core.people import sentences
from corpora.core.bundle import layout, licences
from corpora.core.bundle.canary import sentence as canary_sentence
from corpora.core.bundle.facts import FileFacts
from corpora.core.bundle.manifest import Manifest, Named, has_pairs
from corpora.core.bundle.responsible import responsible_ai
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
    "prov": "http://www.w3.org/ns/prov#",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{name: f"cr:{name}" for name in _OURS},
}
_FORMATS = {
    ".parquet": "application/x-parquet",
    ".jsonl": "application/jsonlines",
    ".json": "application/json",
    ".csv": "text/csv",
}


def croissant(manifest: Manifest) -> str:
    """Return croissant.json: each file with its hash, and a record set over each Parquet file.

    A file without rows has no record set, since a validator takes no record for a fault.
    """
    columns = dict.fromkeys(layout.COLUMNS, "sc:Text")
    return release_description(
        manifest,
        version=manifest.version,
        description=_description(manifest),
        fields=responsible_ai(manifest),
        files=manifest.files,
        record_sets=[
            record_set(stem, layout.parquet(stem), key=("qID",), columns=columns)
            for stem in manifest.stems
            if manifest.splits[stem].questions
        ],
    )


def release_description(
    about: Named,
    *,
    version: str,
    description: str,
    fields: Mapping[str, Any],
    files: Iterable[FileFacts],
    record_sets: list[dict[str, Any]],
) -> str:
    """Return the description of a release of any kind, as the text of croissant.json.

    Parameters
    ----------
    about : Named
    version, description : str
    fields : mapping
        The responsible-AI and provenance fields, by their names in JSON.
    files : iterable of FileFacts
        Their addresses are their names: who knows where they are adds it by `with_addresses`.
    record_sets : list of dict
        As of `record_set`.
    """
    if about.canary is not None:
        description = f"{description} {canary_sentence(about.canary)}"
    return to_text({
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": list(CONFORMS_TO),
        "name": one_line(about.title) or about.name,
        "alternateName": about.name,
        "description": " ".join((description, *sentences(about.people))),
        "version": version,
        "datePublished": about.built_at[:10],
        "inLanguage": about.language,
        "isLiveDataset": False,
        "citeAs": _citation(about, version),
        "license": _licence(about.licence),
        "creator": [{"@type": "Organization", "name": name} for name in _authors(about)],
        **fields,
        "distribution": [_file(facts) for facts in files],
        "recordSet": record_sets,
    })  # fmt: skip


def to_text(metadata: Mapping[str, Any]) -> str:
    """Return a description as the text of its file."""
    return json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"


def with_addresses(metadata: Mapping[str, Any], base_url: str, *, page: str = "") -> dict[str, Any]:
    """Return a description whose files have absolute addresses.

    Parameters
    ----------
    metadata : mapping
        The content of a croissant.json.
    base_url : str
        The address of the folder that has the files, such as
        ``https://huggingface.co/datasets/ORGANISATION/NAME/resolve/main``.
    page : str, optional
        The address of the release's page.

    Raises
    ------
    ValueError
        When *base_url* is no address of http or https, or has a query or a fragment.

    Examples
    --------
    >>> found = with_addresses({"distribution": [{"contentUrl": "a/b.json"}]}, "https://e.org/x/")
    >>> found["distribution"]
    [{'contentUrl': 'https://e.org/x/a/b.json'}]
    """
    base = _checked_base(base_url)
    files = [
        file | {"contentUrl": f"{base}/{file['contentUrl']}"} for file in metadata["distribution"]
    ]
    return {**metadata, **({"url": page} if page else {}), "distribution": files}


def _checked_base(base_url: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "base_url must be an address of http or https without query and fragment, got "
            f"{base_url!r:.200}"
        )
    return base_url.rstrip("/")


def _description(manifest: Manifest) -> str:
    sizes = ", ".join(
        f"{stem} {count(manifest.splits[stem].questions, 'question')}" for stem in manifest.stems
    )
    what = (
        "Pairs of sentences with one blank, two options and opposite answers, as in WinoGrande"
        if has_pairs(manifest)
        else "Sentences with one blank and two options, as in WinoGrande, each without its twin"
    )
    blind = layout.BLIND in manifest.splits and manifest.splits[layout.BLIND].questions
    secret = f" The labels of {layout.BLIND} are secret." if blind else ""
    return f"{what}. {sizes}.{secret}"


def _citation(about: Named, version: str) -> str:
    authors = "; ".join(_authors(about))
    title = one_line(about.title) or about.name
    return f"{authors}. {title}, version {version}. {about.built_at[:4]}."


def _authors(about: Named) -> list[str]:
    return [name for name in map(one_line, about.authors) if name] or ["Unknown"]


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


def record_set(
    name: str, file: str, *, key: tuple[str, ...], columns: Mapping[str, str]
) -> dict[str, Any]:
    """Return a record set over a Parquet file.

    Parameters
    ----------
    name, file : str
    key : tuple of str
        The columns that together name a row.
    columns : mapping of str to str
        The columns of the file with their types, such as ``sc:Text``.
    """
    keys = [{"@id": f"{name}/{column}"} for column in key]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "key": keys if len(keys) > 1 else keys[0],
        "field": [_field(name, file, column, kind) for column, kind in columns.items()],
    }


def _field(records: str, file: str, column: str, kind: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{records}/{column}",
        "name": column,
        "dataType": kind,
        "source": {"fileObject": {"@id": file}, "extract": {"column": column}},
    }
