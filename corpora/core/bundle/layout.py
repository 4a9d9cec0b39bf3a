"""The names of a release's files, in their order, and which of them are public."""

from collections.abc import Iterable, Sequence

SIZES = ("xs", "s", "m", "l", "xl")
STEP = 4  # each size has a quarter of the complete pairs of the next
TRAINING = tuple(f"train_{size}" for size in SIZES)
FULL = TRAINING[-1]
DEBIASED = "train_debiased"
DEV = "dev"
TEST = "test"
BLIND = TEST
STEMS = (*TRAINING, DEBIASED, DEV, TEST)

MANIFEST = "manifest.json"
README = "README.md"
CHANGELOG = "CHANGELOG.md"
CITATION = "CITATION.cff"
CROISSANT = "croissant.json"
LEAKS = "leaks.json"
SUMS = "SHA256SUMS"
SCORER = "score.py"
HARNESS_CODE = "harness/utils.py"
INSPECT = "inspect/answers.py"
BENCHMARK = "eval.yaml"
QUESTIONS = "provenance/questions.jsonl"
VOTES = "provenance/votes.jsonl"
TIMES = "provenance/times.jsonl"
RATES = "provenance/rates.jsonl"
COMMITMENTS = "provenance/commitments.jsonl"
INDEX = "index.jsonl"
OPENING = "opening.jsonl"

COLUMNS = ("qID", "sentence", "option1", "option2", "answer", "domain", "origin")


def jsonl(stem: str) -> str:
    """Return the name of a split's JSON lines."""
    return f"{stem}.jsonl"


def labels(stem: str) -> str:
    """Return the name of a split's list of labels."""
    return f"{stem}-labels.lst"


def parquet(stem: str) -> str:
    """Return the name of a split's Parquet file."""
    return f"data/{stem}.parquet"


def harness_task(release: str) -> str:
    """Return the name of the lm-evaluation-harness task."""
    return f"harness/{release}.yaml"


def answers(release: str) -> str:
    """Return the name of the harness's task that asks for an option's number."""
    return f"{release}_answers"


RESTRICTED = frozenset({labels(BLIND), INDEX, OPENING})


def is_public(name: str) -> bool:
    """Return whether everyone who may see the release may read this file of it.

    >>> is_public("dev-labels.lst"), is_public("test-labels.lst"), is_public("opening.jsonl")
    (True, False, False)
    """
    return name not in RESTRICTED


def training_stem(stems: Iterable[str]) -> str:
    """Return the training file that is meant by "the training set" of a release.

    >>> training_stem(["train_xl", "dev", "train_debiased"]), training_stem(["train_xl", "dev"])
    ('train_debiased', 'train_xl')
    """
    return DEBIASED if DEBIASED in set(stems) else FULL


def sizes(pairs: int) -> dict[str, int]:
    """Return the complete pairs in each training file that has at least one, smallest first.

    Parameters
    ----------
    pairs : int, at least 0
        Complete pairs of the full training set.

    Returns
    -------
    dict of str to int
        ``train_xl`` is always there: it also has the unpaired questions.

    Examples
    --------
    >>> sizes(100)
    {'train_s': 1, 'train_m': 6, 'train_l': 25, 'train_xl': 100}
    >>> sizes(0)
    {'train_xl': 0}
    """
    by_size = {FULL: pairs}
    for stem in reversed(TRAINING[:-1]):
        pairs //= STEP
        if pairs:
            by_size[stem] = pairs
    return dict(reversed(by_size.items()))


ORDER = (
    *(README, CHANGELOG, CITATION, MANIFEST, CROISSANT, LEAKS, SUMS, SCORER, BENCHMARK),
    *(name for stem in STEMS for name in (jsonl(stem), labels(stem))),
    *map(parquet, STEMS),
)
"""Of the files of a bundle: documents, splits, data; then the folders."""


def in_order(names: Iterable[str], order: Sequence[str] = ORDER) -> list[str]:
    """Return file names in an order, then those that are not in it.

    >>> in_order(["dev.jsonl", "README.md", "train_xl.jsonl", "SHA256SUMS", "data/dev.parquet"])
    ['README.md', 'SHA256SUMS', 'train_xl.jsonl', 'dev.jsonl', 'data/dev.parquet']
    """
    place = {name: at for at, name in enumerate(order)}
    return sorted(names, key=lambda name: (place.get(name, len(place)), name))
