"""The YAML front matter of the data card, as Hugging Face's Hub and `datasets` read it."""

from typing import Any

from collection.core.people import People, creators
from corpora.core.bundle import layout, licences
from corpora.core.bundle.manifest import Manifest, Named
from corpora.core.bundle.wording import one_line, yaml_text

FENCE = "---\n"
_SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
_NAMES = ("1K", "10K", "100K", "1M", "10M")


def front_matter(manifest: Manifest) -> str:
    """Return the front matter, between its two lines of dashes."""
    about = {
        **head(manifest, n=questions(manifest), task="multiple-choice"),
        **creator_tags(manifest.people),
        "multilinguality": ["monolingual"],
        "tags": ["winograd-schema", "coreference-resolution", "commonsense-reasoning"],
        "configs": [_config(name, manifest) for name in config_names(manifest)],
    }
    return f"{FENCE}{yaml_text(about)}{FENCE}"


def split(text: str) -> tuple[str, str]:
    """Return the front matter of a Markdown document with its two lines of dashes, and the rest.

    >>> split("---\\nlicense: mit\\n---\\n# Title\\n"), split("# Title\\n")
    (('---\\nlicense: mit\\n---\\n', '# Title\\n'), ('', '# Title\\n'))
    """
    end = text.find("\n" + FENCE, len(FENCE) - 1) if text.startswith(FENCE) else -1
    if end < 0:
        return "", text
    end += len("\n" + FENCE)
    return text[:end], text[end:]


def head(about: Named, *, n: int, task: str) -> dict[str, Any]:
    """Return what the front matter of any release begins with; *n* counts questions or problems."""
    licence = licences.spdx_licence(about.licence)
    return {
        "pretty_name": one_line(about.title),
        "language": [about.language],
        **(
            {"license": licence.hub}
            if licence is not None
            else {"license": "other", "license_name": one_line(about.licence)}
        ),
        "size_categories": [size_category(n)],
        "task_categories": [task],
    }


def creator_tags(people: People) -> dict[str, list[str]]:
    """Return who gave the labels, writers and validators, and who wrote the texts, if stated."""
    tags = {
        "annotations_creators": creators(people.origins),
        "language_creators": creators(people.writers or people.origins),
    }
    return {name: values for name, values in tags.items() if values}


def questions(manifest: Manifest) -> int:
    """Return the number of different questions in the release."""
    return sum(
        manifest.splits[stem].questions
        for stem in (layout.FULL, layout.DEV, layout.TEST)
        if stem in manifest.splits
    )


def config_names(manifest: Manifest) -> list[str]:
    """Return the names of the configurations: 'default', and one for each training file."""
    return ["default", *(stem for stem in manifest.stems if stem.startswith("train_"))]


def size_category(n: int) -> str:
    """Return the Hub's size category.

    >>> size_category(999), size_category(1000), size_category(43432), size_category(10**7)
    ('n<1K', '1K<n<10K', '10K<n<100K', 'n>10M')
    """
    if n < _SIZES[0]:
        return "n<1K"
    for at, above in enumerate(_SIZES[1:]):
        if n < above:
            return f"{_NAMES[at]}<n<{_NAMES[at + 1]}"
    return "n>10M"


def _config(name: str, manifest: Manifest) -> dict[str, Any]:
    training = layout.training_stem(manifest.stems) if name == "default" else name
    parts = (("train", training), ("validation", layout.DEV), ("test", layout.TEST))
    files = [
        {"split": split, "path": layout.parquet(stem)}
        for split, stem in parts
        # A file without rows cannot be loaded.
        if stem in manifest.splits and manifest.splits[stem].questions
    ]
    return {"config_name": name, "data_files": files}
